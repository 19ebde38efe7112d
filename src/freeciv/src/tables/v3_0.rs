//! Protocol 3.0: the table beside this file, parsed once, and the proof that it is sound.

use std::sync::LazyLock;

use super::Protocol;

/// The protocol of servers 3.0.x.
pub fn v3_0() -> &'static Protocol {
    static TABLE: LazyLock<Protocol> = LazyLock::new(|| {
        Protocol::parse(include_str!("v3_0.txt")).expect("the embedded 3.0 table is well formed")
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Form, Shape, Skipped, Wire};

    #[test]
    fn parses_with_all_packets_and_bit_counts() {
        let protocol = v3_0();
        let decoded = protocol.packets().iter().filter(|p| p.skipped != Skipped::Opaque).count();
        assert_eq!((decoded, protocol.packets().len()), (128, 187));
        // The parser has compared every "bits n/m" of the text with the fields; spot checks here.
        let bits = |name: &str| {
            let packet = protocol.packet(name).unwrap();
            (packet.bits, packet.bit_bytes())
        };
        assert_eq!(bits("GAME_INFO"), (114, 15));
        assert_eq!(bits("UNIT_INFO"), (39, 5));
        assert_eq!(bits("RULESET_UNIT"), (47, 6));
        assert_eq!(bits("TILE_INFO"), (10, 2));
        assert_eq!(bits("BEGIN_TURN"), (0, 0));
        assert_eq!(protocol.packet("SERVER_JOIN_REPLY").unwrap().bit_bytes(), 0);
    }

    #[test]
    fn every_delta_packet_with_fields_states_its_bits() {
        let mut packet = "";
        for line in include_str!("v3_0.txt").lines() {
            if line.starts_with("packet") {
                packet = line;
            } else if line.starts_with("  ") && !packet.contains("no-delta") {
                assert!(packet.contains(" bits "), "{packet}");
            }
        }
    }

    #[test]
    fn numbers_names_flags_and_forms_are_as_measured() {
        let protocol = v3_0();
        let unit = protocol.by_number(63).unwrap();
        assert_eq!(unit.name, "UNIT_INFO");
        assert!(unit.game_info && unit.delta);
        let cancelled = &protocol.packets()[usize::from(unit.cancels[0])];
        assert_eq!(cancelled.name, "UNIT_SHORT_INFO");
        let orders = &unit.fields[unit.position("orders_sub_targets").unwrap()];
        assert_eq!(orders.wire, Wire::Int { bytes: 2, signed: true });
        let by = unit.position("orders_length").unwrap();
        assert_eq!(orders.form, Form::Counted { by, max: 2000 });
        let game = protocol.packet("GAME_INFO").unwrap();
        let owners = &game.fields[game.position("great_wonder_owners").unwrap()];
        assert_eq!(owners.form, Form::Diff(200));
        assert_eq!(owners.shape(), Shape::Ints);
        assert_eq!(protocol.constant("MAX_NUM_ACTIONS").unwrap(), 44);
        assert!(protocol.by_number(3).is_none());
        assert!(protocol.by_number(u16::MAX).is_none());
        assert!(protocol.packet("UNIT_INF").is_err());
    }
}
