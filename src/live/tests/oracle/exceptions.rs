//! The stated exceptions: all cases in which our menus differ from what the server accepts, each
//! with its reason. Tests that let one pass refer to it here.

/// Why a menu differs from the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Our seat is not told what the server judges by.
    Hidden,
    /// The server would accept it, and nobody could want it.
    Pointless,
    /// A long list is cut to what one can choose from.
    Bound,
}

/// One stated exception.
#[derive(Debug)]
pub(crate) struct Exception {
    pub(crate) name: &'static str,
    pub(crate) why: Why,
    pub(crate) reason: &'static str,
}

pub(crate) const OUT_OF_SIGHT: Exception = Exception {
    name: "out of sight",
    why: Why::Hidden,
    reason: "Who stands out of sight is not told: units there are taken not to be there, known \
             cities to be garrisoned, and foreign land at the edge of the known to hold a city.",
};

pub(crate) const ALLIES_UNKNOWN: Exception = Exception {
    name: "allies unknown",
    why: Why::Hidden,
    reason: "Only an embassy tells how others stand to each other: without one an alliance, which \
             an ally's war forbids, is not offered.",
};

pub(crate) const BOMB_ON_NOBODY: Exception = Exception {
    name: "bomb on nobody",
    why: Why::Pointless,
    reason: "A nuclear unit could explode beside a place where no enemy is.",
};

pub(crate) const ANARCHY_AS_AIM: Exception = Exception {
    name: "anarchy as aim",
    why: Why::Pointless,
    reason: "The interregnum is every revolution's way, and could be named as its aim.",
};

pub(crate) const LONG_LISTS: Exception = Exception {
    name: "long lists",
    why: Why::Bound,
    reason: "Of drops the 12 nearest, of airlifts the 8 nearest, of advances to be had \
             6, of a worklist 8, and no gift for nothing are offered.",
};

/// All of them. That a question about founding is answered with yes beside another city, where the
/// deed is then refused, is none: the deed decides.
const ALL: [&Exception; 5] =
    [&OUT_OF_SIGHT, &ALLIES_UNKNOWN, &BOMB_ON_NOBODY, &ANARCHY_AS_AIM, &LONG_LISTS];

#[test]
fn there_are_at_most_five_stated_exceptions() {
    assert!(ALL.len() <= 5);
    for exception in ALL {
        println!("{} ({:?}): {}", exception.name, exception.why, exception.reason);
        assert!(!exception.reason.is_empty());
    }
    assert_eq!(ALL.iter().filter(|e| e.why == Why::Bound).count(), 1);
}
