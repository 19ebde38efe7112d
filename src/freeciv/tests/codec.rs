//! Each rule of the wire format as hand-made bytes against the 3.0 table, and every malformed body
//! as its own error.

use saga_freeciv::tables::{Direction, Form, Skipped, Wire};
use saga_freeciv::value::{Requirement, Value};
use saga_freeciv::{Connection, Event, Limits, Packet, ProtocolError, encode, v3_0};

/// A plain packet with the wide header.
fn wide(number: u16, body: &[u8]) -> Vec<u8> {
    let length = (4 + body.len()) as u16;
    [&length.to_be_bytes()[..], &number.to_be_bytes(), body].concat()
}

/// A connection that was let in as connection 7 and has told so.
fn joined() -> Connection {
    let mut connection = Connection::new(v3_0(), Limits::default()).unwrap();
    connection.join("tester").unwrap();
    let reply = [0, 10, 5, 1, b'h', 0, 0, 0, 0, 7];
    connection.receive(&reply).unwrap();
    assert!(matches!(connection.next_event(), Ok(Some(Event::Joined(_)))));
    connection
}

fn packet(connection: &mut Connection, number: u16, body: &[u8]) -> Packet {
    connection.receive(&wide(number, body)).unwrap();
    match connection.next_event() {
        Ok(Some(Event::Packet(packet))) => packet,
        other => panic!("{other:?} instead of a packet"),
    }
}

fn field<'a>(packet: &'a Packet, name: &str) -> &'a Value {
    &packet.values()[packet.def().position(name).unwrap()]
}

fn int(packet: &Packet, name: &str) -> i64 {
    match field(packet, name) {
        Value::Int(value) => *value,
        other => panic!("{other:?}"),
    }
}

fn error(connection: &mut Connection, number: u16, body: &[u8]) -> String {
    connection.receive(&wide(number, body)).unwrap();
    connection.next_event().expect_err("a malformed packet").to_string()
}

/// TILE_INFO with continent and terrain set.
const TILE: &[u8] = &[0b0010_0001, 0, 0, 0, 0, 9, 0xff, 0xfe, 4];

#[test]
fn unsent_fields_keep_what_the_same_key_had() {
    let mut connection = joined();
    let first = packet(&mut connection, 15, TILE);
    assert_eq!((int(&first, "tile"), int(&first, "continent")), (9, -2));
    assert_eq!((int(&first, "terrain"), int(&first, "owner")), (4, 0));
    let second = packet(&mut connection, 15, &[0b0000_0100, 0, 0, 0, 0, 9, 3]);
    assert_eq!((int(&second, "terrain"), int(&second, "owner")), (4, 3));
    let other_tile = packet(&mut connection, 15, &[0, 0, 0, 0, 0, 8]);
    assert_eq!((int(&other_tile, "terrain"), int(&other_tile, "continent")), (0, 0));
}

#[test]
fn a_folded_bool_is_its_bit_every_time() {
    let mut connection = joined();
    // CONN_INFO of another connection: used, established; then nothing set.
    let first = packet(&mut connection, 115, &[0b0000_0011, 0, 3]);
    assert_eq!((int(&first, "used"), int(&first, "observer")), (1, 0));
    let second = packet(&mut connection, 115, &[0b0000_0100, 0, 3]);
    assert_eq!((int(&second, "used"), int(&second, "observer")), (0, 1));
}

#[test]
fn a_diff_array_changes_only_the_elements_sent() {
    let mut connection = joined();
    let owners = |packet: &Packet| match field(packet, "great_wonder_owners") {
        Value::Ints(list) => list.to_vec(),
        other => panic!("{other:?}"),
    };
    let position = v3_0().packet("GAME_INFO").unwrap().position("great_wonder_owners").unwrap();
    let mut bits = [0; 15];
    bits[position / 8] = 1 << (position % 8);
    let first = packet(&mut connection, 16, &[&bits[..], &[2, 1, 199, 5, 255]].concat());
    let second = packet(&mut connection, 16, &[&bits[..], &[2, 7, 255]].concat());
    assert_eq!((owners(&first)[2], owners(&first)[199], owners(&first).len()), (1, 5, 200));
    assert_eq!((owners(&second)[2], owners(&second)[199]), (7, 5));
}

#[test]
fn counted_arrays_texts_and_requirements_are_read() {
    let mut connection = joined();
    // RULESET_ACTION_ENABLER: action 25, one actor requirement, no target requirements.
    let body = [0b0000_1111, 25, 1, 6, 0, 0, 0, 3, 6, 0, 1, 1, 0];
    let enabler = packet(&mut connection, 235, &body);
    let wanted =
        Requirement { kind: 6, value: 3, range: 6, survives: false, present: true, quiet: true };
    assert_eq!(*field(&enabler, "actor_reqs"), Value::Requirements([wanted].into()));
    let chat = packet(&mut connection, 25, &[1, b'a', 0xff, 0]);
    assert_eq!(*field(&chat, "message"), "a\u{fffd}".into());
}

#[test]
fn a_cancelling_packet_drops_what_was_remembered() {
    let mut connection = joined();
    let owner_set = &[0b0000_0001, 0, 0, 0, 0, 0, 40, 2][..];
    assert_eq!(int(&packet(&mut connection, 63, owner_set), "owner"), 2);
    let unchanged = &[0, 0, 0, 0, 0, 0, 40][..];
    assert_eq!(int(&packet(&mut connection, 63, unchanged), "owner"), 2);
    packet(&mut connection, 62, &[1, 0, 41]);
    assert_eq!(int(&packet(&mut connection, 63, unchanged), "owner"), 2, "another unit went");
    packet(&mut connection, 62, &[1, 0, 40]);
    assert_eq!(int(&packet(&mut connection, 63, unchanged), "owner"), 0);
    packet(&mut connection, 63, owner_set);
    packet(&mut connection, 64, &[0, 0, 0, 40]);
    assert_eq!(int(&packet(&mut connection, 63, unchanged), "owner"), 0, "the short form cancels");
}

#[test]
fn a_change_of_our_seat_forgets_the_game_and_nothing_else() {
    let mut connection = joined();
    let tile =
        |connection: &mut Connection| int(&packet(connection, 15, &[0, 0, 0, 0, 0, 9]), "terrain");
    packet(&mut connection, 15, TILE);
    let bit = v3_0().packet("PLAYER_INFO").unwrap().position("gold").unwrap() - 1;
    let mut bits = [0; 6];
    bits[bit / 8] = 1 << (bit % 8);
    packet(&mut connection, 51, &[&bits[..], &[1, 0, 0, 0, 50]].concat());
    packet(&mut connection, 115, &[0b0000_1011, 0, 6, 1]);
    assert_eq!(tile(&mut connection), 4, "another connection's seat");
    packet(&mut connection, 115, &[0b0000_1011, 0, 7, 1]);
    assert_eq!(connection.player(), Some(1));
    assert_eq!(tile(&mut connection), 0, "our seat");
    let kept = packet(&mut connection, 51, &[0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(int(&kept, "gold"), 50, "players are no game-info");
    packet(&mut connection, 15, TILE);
    packet(&mut connection, 115, &[0b0000_0011, 0, 7]);
    assert_eq!(tile(&mut connection), 4, "told again, not changed");
    packet(&mut connection, 115, &[0b0000_0111, 0, 7]);
    assert_eq!((tile(&mut connection), connection.player()), (0, None), "observing now");
}

#[test]
fn requests_are_counted_pings_answered_and_a_refusal_told() {
    let mut connection = joined();
    assert_eq!((connection.sent(), connection.outstanding()), (1, 1));
    let already = connection.output().len();
    connection.wrote(already);
    connection.receive(&[wide(0, &[]), wide(1, &[]), wide(88, &[])].concat()).unwrap();
    assert_eq!(connection.next_event().unwrap(), Some(Event::Processed { request: 1 }));
    assert_eq!(connection.outstanding(), 0);
    assert_eq!(connection.next_event().unwrap(), None);
    assert_eq!((connection.output(), connection.outstanding()), (&wide(89, &[])[..], 1));
    connection.receive(&[wide(1, &[]), wide(1, &[])].concat()).unwrap();
    assert_eq!(connection.next_event().unwrap(), Some(Event::Processed { request: 2 }));
    let error = connection.next_event().unwrap_err();
    assert_eq!(error, ProtocolError::NeverSent { processed: 3, sent: 2 });
    assert_eq!(connection.next_event().unwrap_err(), error, "it stays failed");
    assert_eq!(connection.receive(&[]).unwrap_err(), error);

    let mut refused = Connection::new(v3_0(), Limits::default()).unwrap();
    refused.join("tester").unwrap();
    refused.receive(&[0, 12, 5, 0, b'n', b'o', 0, b'+', 0, 0, 0, 0]).unwrap();
    match refused.next_event().unwrap() {
        Some(Event::Refused(refusal)) => {
            assert_eq!((&*refusal.message, &*refusal.capability), ("no", "+"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn unread_and_unknown_packets_are_passed_over() {
    let mut connection = joined();
    for number in [116, 147, 3, 60_000] {
        connection.receive(&wide(number, &[1, 2])).unwrap();
    }
    assert_eq!(connection.next_event().unwrap(), None);
    assert_eq!((connection.skipped(), connection.waiting_bytes()), (4, 0));
    connection.read_all();
    let message = error(&mut connection, 116, &[1, 2]);
    assert!(message.contains("CONN_PING_INFO, connections_16: 2 bytes"), "{message}");
}

#[test]
fn malformed_bodies_name_packet_field_and_fault() {
    let check = |number, body: &[u8], wanted: &str| {
        let found = error(&mut joined(), number, body);
        assert_eq!(found, format!("broken packet from the server: packet {wanted}"));
    };
    check(62, &[], "UNIT_REMOVE, bit vector: 1 bytes wanted, 0 left (byte 0 of a body of 0)");
    check(62, &[1, 9], "UNIT_REMOVE, unit_id: 2 bytes wanted, 1 left (byte 1 of a body of 2)");
    check(62, &[0, 9], "UNIT_REMOVE, end: 1 bytes follow the last field (byte 1 of a body of 2)");
    check(128, &[0], "BEGIN_TURN, end: 1 bytes follow the last field (byte 0 of a body of 1)");
    check(
        25,
        &[1, b'a'],
        "CHAT_MSG, message: a text has no end within 1536 bytes (byte 1 of a body of 2)",
    );
    check(5, &[2], "SERVER_JOIN_REPLY, you_can_join: a bool is 2 (byte 1 of a body of 1)");
    check(
        235,
        &[0b0000_0110, 21],
        "RULESET_ACTION_ENABLER, actor_reqs: 21 elements, at most 20 are allowed (byte 2 of a \
         body of 2)",
    );
    check(
        235,
        &[0b0000_0110, 20],
        "RULESET_ACTION_ENABLER, actor_reqs: 20 bytes wanted, 0 left (byte 2 of a body of 2)",
    );
    let position = v3_0().packet("GAME_INFO").unwrap().position("great_wonder_owners").unwrap();
    let mut bits = [0; 15];
    bits[position / 8] = 1 << (position % 8);
    check(
        16,
        &[&bits[..], &[200, 1, 255]].concat(),
        "GAME_INFO, great_wonder_owners: element 200 changed in an array of 200 (byte 17 of a \
         body of 18)",
    );
}

#[test]
fn remembered_packets_stop_at_their_limit() {
    let limits = Limits { remembered_bytes_max: 100_000, ..Limits::default() };
    let mut connection = Connection::new(v3_0(), limits).unwrap();
    let mut failed = None;
    for tile in 0..10_000_u32 {
        let body = [&[0, 0][..], &tile.to_be_bytes()].concat();
        connection.receive(&[&[0, 9, 15][..], &body].concat()).unwrap();
        if let Err(error) = connection.next_event() {
            failed = Some((tile, error.to_string()));
            break;
        }
    }
    let (tiles, message) = failed.expect("a limit");
    assert!((50..1_000).contains(&tiles), "{tiles} tiles");
    assert!(message.contains("the limit is 100000"), "{message}");
}

/// A value for the field that is neither zero nor empty.
fn sample(wire: Wire, form: Form) -> Value {
    let length = match form {
        Form::One => 1,
        Form::Times(length) | Form::Diff(length) => length,
        Form::Counted { .. } => 2,
    };
    let number = match wire {
        Wire::Int { bytes, signed: true } => -(1 << (8 * bytes - 1)),
        Wire::Int { bytes, .. } => (1 << (8 * bytes)) - 1,
        Wire::Fixed { .. } => 123_456,
        _ => 1,
    };
    let requirement =
        Requirement { kind: 1, value: -2, range: 3, survives: true, present: false, quiet: true };
    match (wire, form) {
        (Wire::Text(_), Form::One) => "naïve".into(),
        (Wire::Text(_), _) => Value::Texts(vec!["zwei".into(); length].into()),
        (Wire::Bits(bytes), _) => Value::Bits(vec![0xa5; bytes].into()),
        (Wire::Requirement, _) => Value::Requirements(vec![requirement; length].into()),
        (Wire::Probability | Wire::Worklist, _) => vec![(3, 200); length].into(),
        (_, Form::One) => number.into(),
        _ => vec![number; length].into(),
    }
}

#[test]
fn every_packet_of_the_table_survives_a_round_trip() {
    for def in v3_0().packets().iter().filter(|def| def.skipped != Skipped::Opaque) {
        let mut fields: Vec<_> = def.fields.iter().map(|f| sample(f.wire, f.form)).collect();
        for field in &def.fields {
            if let Form::Counted { by, .. } = field.form {
                fields[by] = 2_i64.into();
            }
        }
        let named: Vec<_> =
            def.fields.iter().zip(&fields).map(|(f, value)| (&*f.name, value.clone())).collect();
        let packet = encode::request(v3_0(), &def.name, &named).unwrap();
        let mut bytes = Vec::new();
        encode::encode(&packet, 2, &mut bytes).unwrap();
        let mut decoder = saga_freeciv::decode::Decoder::new(v3_0(), Limits::default());
        let decoded = decoder.decode(def, &bytes[4..]).unwrap();
        assert_eq!(decoded, packet, "{}", def.name);
        if def.direction == Direction::Out && def.name != "EDIT_CITY" {
            assert_eq!(def.key, None, "{}: requests have no key", def.name);
        }
    }
}

#[test]
fn requests_that_do_not_fit_are_refused_and_leave_no_bytes() {
    let mut connection = joined();
    let already = connection.output().len();
    let mut check = |name: &str, fields: &[(&str, Value)], wanted: &str| {
        let message = connection.request(name, fields).expect_err(wanted).to_string();
        assert_eq!(message, wanted);
        assert_eq!((connection.sent(), connection.output().len()), (1, already));
    };
    check("CITY_BYE", &[], "protocol 3.0 has no packet CITY_BYE");
    check("CITY_BUY", &[("city", 1.into())], "packet CITY_BUY has no field city");
    let text = [("city_id", "Rome".into())];
    check("CITY_BUY", &text, "field city_id of packet CITY_BUY is Int, but is read as Text");
    let large = [("city_id", 65_536.into())];
    check("CITY_BUY", &large, "field city_id of packet CITY_BUY cannot hold Int(65536)");
    let negative = [("city_id", (-1).into())];
    check("CITY_BUY", &negative, "field city_id of packet CITY_BUY cannot hold Int(-1)");
    let long = [("message", (&*"x".repeat(1536)).into())];
    let wanted =
        format!("field message of packet CHAT_MSG_REQ cannot hold Text(\"{}\")", "x".repeat(1536));
    check("CHAT_MSG_REQ", &long, &wanted);
    let uneven = [("length", 2.into()), ("orders", vec![0_i64].into())];
    check(
        "UNIT_ORDERS",
        &uneven,
        "field orders of packet UNIT_ORDERS has 1 elements, its count is 2",
    );
    let list = || Value::from(vec![0_i64; 2000]);
    let lists = ["orders", "dir", "activity", "sub_target", "action"].map(|name| (name, list()));
    let orders = [&[("length", 2000.into())][..], &lists].concat();
    check("UNIT_ORDERS", &orders, "packet UNIT_ORDERS would have 12018 bytes, the limit is 4096");
    connection.request("CITY_BUY", &[("city_id", 5.into())]).unwrap();
    assert_eq!(connection.output()[already..], wide(34, &[1, 0, 5]));
}
