//! Nothing a file claims is believed before it is checked.

use saga_core::trace::{
    FRAME_BYTES_MAX, LINE_BYTES_MAX, Lines, Trace, TraceError, WINDOW_BYTES_MAX,
};

use crate::toy::{Toy, fresh, pack, zip};

fn refused(name: &str, bytes: &[u8]) -> (&'static str, u64, u64) {
    let path = fresh(name);
    std::fs::write(&path, bytes).expect("written");
    match Trace::load(&path) {
        Err(TraceError::Limit { what, found, most, .. }) => (what, found, most),
        other => panic!("{other:?}"),
    }
}

/// A frame's header with a content size of eight bytes.
fn claiming(content: u64) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1110_0100];
    frame.extend(content.to_le_bytes());
    frame.extend([0; 32]);
    frame
}

#[test]
fn a_frame_that_claims_too_much_is_refused() {
    let hundred_gb = 100_000_000_000;
    assert_eq!(
        refused("100gb", &claiming(hundred_gb)),
        ("a frame claim", hundred_gb, FRAME_BYTES_MAX)
    );
    assert_eq!(refused("2to63", &claiming(1 << 63)), ("a frame claim", 1 << 63, FRAME_BYTES_MAX));
    let between = WINDOW_BYTES_MAX + 1;
    let window = ("a window claim", between, WINDOW_BYTES_MAX);
    assert_eq!(refused("window_single", &claiming(between)), window);
    let mut wide = vec![0x28, 0xb5, 0x2f, 0xfd, 0b100, 0xff];
    wide.extend([0; 32]);
    let window = ("a window claim", (1 << 41) + (1 << 41) / 8 * 7, WINDOW_BYTES_MAX);
    assert_eq!(refused("window", &wide), window);
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let line = vec![b'x'; LINE_BYTES_MAX + 1];
    let (what, found, most) = refused("line", &zip(&line));
    assert_eq!((what, most), ("a line", LINE_BYTES_MAX as u64));
    assert!(found <= most + (1 << 20), "told before much more was decoded: {found}");
}

#[test]
fn a_frame_that_is_too_long_is_refused() {
    let path = fresh("frame");
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.include_checksum(true).expect("a checksum");
    let lines = [vec![b'x'; (1 << 20) - 1], vec![b'\n']].concat();
    for _ in 0..=FRAME_BYTES_MAX >> 20 {
        std::io::Write::write_all(&mut encoder, &lines).expect("written");
    }
    std::fs::write(&path, encoder.finish().expect("finished")).expect("written");
    let mut lines = Lines::open(&path).expect("lines");
    let error = loop {
        match lines.next_line() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("read to its end"),
            Err(e) => break e,
        }
    };
    assert!(matches!(error, TraceError::Limit { what: "a frame", .. }), "{error}");
}

#[test]
fn a_table_that_claims_too_much_is_bad() {
    let path = Toy::default().record("table_claims");
    let mut bytes = std::fs::read(&path).expect("bytes");
    let count = bytes.len() - 9;
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    std::fs::write(&path, &bytes).expect("written");
    let trace = Trace::load(&path).expect("the lines are good");
    assert!(matches!(trace.table(), saga_core::trace::Table::Bad(_)));
    assert!(!saga_core::trace::open_turn(&path, 2).expect("a turn").sought);
}

#[test]
fn lines_out_of_order_are_refused() {
    let path = Toy { turns: 3, ..Toy::default() }.record("order");
    let trace = Trace::load(&path).expect("a trace");
    let lines: Vec<String> = trace.text().lines().map(str::to_owned).collect();
    let check = |lines: &[String], expected: &str| {
        let path = fresh("order_of");
        pack(&path, lines);
        let error = Trace::load(&path).expect_err("out of order").to_string();
        assert!(error.contains(expected), "{error}");
    };
    let mut twice = lines.clone();
    twice.push(lines[0].clone());
    check(&twice, "an end with lines after it");
    let mut header = lines.clone();
    header.insert(3, lines[0].clone());
    check(&header, "line 4: a second header");
    let without: Vec<String> =
        lines.iter().filter(|l| !l.starts_with("{\"turn\":{\"turn\":2")).cloned().collect();
    check(&without, "turn 3 follows turn 1");
    let mut strange = lines.clone();
    strange[4] = "{\"strange\":1}".to_owned();
    check(&strange, "line 5: no entry begins with");
}
