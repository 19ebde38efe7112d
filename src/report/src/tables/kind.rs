//! What a planner is in a comparison, so that a table never passes a re-implementation off as the
//! original.

/// What a planner is in a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Method,
    ReImplementation,
    Control,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Kind::Method => "method",
            Kind::ReImplementation => "re-implementation",
            Kind::Control => "control",
        }
    }

    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Kind::Method => "",
            Kind::ReImplementation => " (re-implementation)",
            Kind::Control => " (control)",
        }
    }
}

/// Published methods that were built again from their papers, and the controls they are held
/// against. A planner of somebody's own is neither.
pub(crate) fn kind(planner: &str) -> Kind {
    match planner {
        "cos" | "epicstar" | "hima" | "mastaba" | "optimus2" => Kind::ReImplementation,
        "direct" | "idle" | "random" => Kind::Control,
        _ => Kind::Method,
    }
}
