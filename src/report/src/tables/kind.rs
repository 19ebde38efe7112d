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

/// Published methods that were built again from their papers.
pub const RE_IMPLEMENTED: &[&str] = &["cos", "epicstar", "hima", "mastaba", "optimus2"];

/// Backbones and planners that other players are held against: a uniform and an idle player, and
/// no planner at all. A planner of somebody's own is a method like any other.
pub(crate) fn kind(planner: &str, backbone: &str) -> Kind {
    if planner == "direct" || matches!(backbone, "uniform" | "idle") {
        Kind::Control
    } else if RE_IMPLEMENTED.contains(&planner) {
        Kind::ReImplementation
    } else {
        Kind::Method
    }
}
