//! What a record leaves out because it says nothing: one test for all counts.

/// Whether a count is zero; records leave such fields out.
pub(crate) fn is_zero<T: Default + PartialEq>(n: &T) -> bool {
    *n == T::default()
}
