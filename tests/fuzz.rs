//! Hostile bytes against the packet decoder: 100,000 random and mutated streams must end in events
//! or typed errors, within bounded memory; and what comes of them against the world model and all
//! that is computed from it. `SAGA_FUZZ_SEED=n` runs one stream, or one world, again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use saga_core::action::{Actor, Order};
use saga_core::measures::{measure, measure_shown};
use saga_freeciv::frame::Framer;
use saga_freeciv::tables::Skipped;
use saga_freeciv::{Connection, Event, Limits, ProtocolError, Step, World, v3_0};

const RECORDED: &[u8] = include_bytes!("fixtures/freeciv/join-and-30-turns.bin");
const STREAMS: u64 = 100_000;
/// Worlds that are told the recorded game, or its beginning, and then what comes of more streams.
const WORLDS: u64 = 1_000;
const STREAMS_OF_A_WORLD: u64 = 100;
const FIRST_SEED: u64 = 1;
const LIMITS: Limits = Limits {
    buffered_bytes_max: 64 << 10,
    inflated_bytes_max: 64 << 10,
    remembered_bytes_max: 256 << 10,
};
/// The corpus, one stream and its decoder fit in this; an unbounded buffer would not.
const GROWTH_KIB_MAX: u64 = 48 << 10;
/// The recorded events, a world and all observations of one stream fit in this.
const WORLD_GROWTH_KIB_MAX: u64 = 96 << 10;
/// Orders tried of each list of lawful ones.
const ORDERS_TRIED: usize = 3;

#[test]
fn a_recorded_game_decodes_to_its_last_byte_however_it_is_cut() {
    let whole = events(RECORDED, RECORDED.len());
    let named = |name: &str| {
        let is = |event: &&Event| matches!(event, Event::Packet(packet) if packet.name() == name);
        whole.iter().filter(is).count()
    };
    assert!(matches!(whole.first(), Some(Event::Packet(packet)) if packet.name() == "SERVER_INFO"));
    assert!(matches!(whole.get(1), Some(Event::Joined(_))));
    assert_eq!(named("BEGIN_TURN"), 31);
    assert_eq!(named("RULESET_UNIT"), 52);
    assert_eq!(named("RULESET_NATION"), 557);
    assert!(named("CITY_INFO") > 10 && named("UNIT_ACTIONS") > 100);
    for piece in [1, 7, 4_096] {
        assert!(events(RECORDED, piece) == whole, "pieces of {piece} bytes change the events");
    }
}

#[test]
fn hostile_streams_end_in_events_or_typed_errors() {
    let corpus = plain_packets(RECORDED);
    let (mut failed, mut packets) = (0_u64, 0_u64);
    let streams = each_seed(STREAMS, GROWTH_KIB_MAX, |seed| {
        let (events, error) = run(seed, &corpus, &mut |_| {});
        packets += events;
        failed += u64::from(error.is_some());
    });
    println!("{streams} streams: {packets} events, {failed} ended in an error");
    if streams == STREAMS {
        assert!(failed > streams / 4 && packets > streams, "the streams are not hostile or dead");
    }
}

#[test]
fn hostile_streams_leave_a_world_that_can_be_played_and_measured() {
    let corpus = plain_packets(RECORDED);
    let recorded = events(RECORDED, RECORDED.len());
    let mut seen = Looked::default();
    let streams = each_seed(WORLDS, WORLD_GROWTH_KIB_MAX, |seed| {
        let mut random = random(!seed);
        let whole = recorded.len();
        let told = if random.below(4) == 0 { random.below(whole) } else { whole };
        let mut world = World::new(v3_0()).expect("the table is complete");
        recorded.iter().take(told).for_each(|event| fold(&mut world, event));
        for stream in 0..STREAMS_OF_A_WORLD {
            let stream = seed * STREAMS_OF_A_WORLD + stream;
            run(stream, &corpus, &mut |event| fold(&mut world, event));
            if random.below(10) == 0 {
                seen.look(&mut world);
            }
        }
        seen.look(&mut world);
    });
    let Looked { observations, units, orders } = seen;
    println!("{streams} worlds: {observations} observations, {units} units, {orders} orders");
    if streams == WORLDS {
        assert!(observations > streams / 2 && orders > streams, "the worlds are empty");
    }
}

/// Calls `body` with each seed, tells the one that panics, and holds the memory taken to a limit.
/// Returns how many there were.
fn each_seed(count: u64, growth_kib_max: u64, mut body: impl FnMut(u64)) -> u64 {
    // Peak memory is the whole process's, so one test at a time.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let one = std::env::var("SAGA_FUZZ_SEED").ok().map(|seed| seed.parse().expect("a seed"));
    let seeds = one.map_or(FIRST_SEED..FIRST_SEED + count, |seed: u64| seed..seed + 1);
    println!("seeds {} to {}", seeds.start, seeds.end - 1);
    let before = peak_kib();
    for seed in seeds.clone() {
        catch_unwind(AssertUnwindSafe(|| body(seed)))
            .unwrap_or_else(|_| panic!("it panicked; repeat with SAGA_FUZZ_SEED={seed}"));
    }
    if let (Some(before), Some(after)) = (before, peak_kib()) {
        println!("peak memory grew from {before} to {after} KiB");
        assert!(after - before < growth_kib_max, "{before} KiB grew to {after} KiB");
    }
    seeds.end - seeds.start
}

fn fold(world: &mut World, event: &Event) {
    match event {
        Event::Joined(joined) => world.joined(joined),
        Event::Packet(packet) => world.fold(packet),
        _ => {}
    }
}

/// What was seen of all worlds.
#[derive(Default)]
struct Looked {
    observations: u64,
    units: u64,
    orders: u64,
}

impl Looked {
    /// Does with a world all that the turn loop does with it, but sends nothing.
    fn look(&mut self, world: &mut World) {
        let _ = (world.questions(), world.turn(), world.alive(), world.settings());
        let _ = world.ending().map(|ending| ending.players.len());
        let (Some(observation), Some(rules)) = (world.observe(), world.rules()) else { return };
        let _ = measure(&observation, &rules);
        let measures = measure_shown(&observation, &rules);
        assert_eq!(measures.units, observation.units.len() as i64);
        self.observations += 1;
        self.units += observation.units.len() as u64;
        let actors = observation
            .units
            .iter()
            .map(|unit| Actor::Unit(unit.id))
            .chain(observation.cities.iter().map(|city| Actor::City(city.id)));
        for actor in actors {
            for action in world.lawful(actor).into_iter().take(ORDERS_TRIED) {
                self.orders += 1;
                let mut script = world.start(&Order { actor, action });
                // A script asks, sends and judges; none has more steps than these.
                let ends = (0..8).any(|_| matches!(script.next(world), Step::Finished(_)));
                assert!(ends, "an order without an end");
            }
        }
    }
}

/// Feeds one stream made from `seed`, hands on its events, and tells their number and the error
/// that ended it.
fn run(
    seed: u64,
    corpus: &[(u16, Vec<u8>)],
    each: &mut dyn FnMut(&Event),
) -> (u64, Option<ProtocolError>) {
    let mut random = random(seed);
    let stream = stream(&mut random, corpus);
    let mut connection = opened();
    let mut events = 0;
    let mut rest = &stream[..];
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(1 + random.below(rest.len()));
        rest = after;
        let fed = connection.receive(piece).and_then(|()| {
            while let Some(event) = connection.next_event()? {
                each(&event);
                events += 1;
            }
            Ok(())
        });
        let waiting_max = LIMITS.buffered_bytes_max + LIMITS.inflated_bytes_max;
        assert!(connection.waiting_bytes() <= waiting_max);
        if let Err(error) = fed {
            assert!(!error.to_string().is_empty());
            assert_eq!(connection.next_event().expect_err("it stays failed"), error);
            return (events, Some(error));
        }
    }
    (events, None)
}

/// A connection that was let in and has requests outstanding.
fn opened() -> Connection {
    let mut connection = Connection::new(v3_0(), LIMITS).expect("the table is complete");
    connection.read_all();
    connection.join("fuzz").expect("a lawful name");
    for _ in 0..4 {
        connection.request("CLIENT_HEARTBEAT", &[]).expect("a lawful request");
    }
    connection.receive(&[0, 9, 5, 1, 0, 0, 0, 0, 1]).expect("a small reply");
    assert!(matches!(connection.next_event(), Ok(Some(Event::Joined(_)))));
    connection
}

/// Noise, well-framed noise, or a mutated piece of the recorded game, plain or as a block.
fn stream(random: &mut Random, corpus: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let mut plain = Vec::new();
    match random.below(8) {
        0 => return (0..random.below(256)).map(|_| random.byte()).collect(),
        1 => {
            let known: Vec<_> =
                v3_0().packets().iter().filter(|def| def.skipped != Skipped::Opaque).collect();
            for _ in 0..=random.below(4) {
                let number = known[random.below(known.len())].number;
                let body: Vec<u8> = (0..random.below(64)).map(|_| random.byte()).collect();
                put(&mut plain, number, &body);
            }
        }
        _ => {
            let start = random.below(corpus.len());
            for (number, body) in corpus.iter().skip(start).take(1 + random.below(24)) {
                let mut body = body.clone();
                if random.below(3) == 0 {
                    mutate(random, &mut body);
                }
                put(&mut plain, *number, &body);
            }
        }
    }
    if random.below(4) == 0 {
        mutate(random, &mut plain);
    }
    let mut stream = match random.below(4) {
        0 => block(&plain, random.below(2) == 0),
        _ => plain,
    };
    if random.below(8) == 0 {
        mutate(random, &mut stream);
    }
    stream
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.byte()),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.extend_from_within(at..),
            4 if at < bytes.len() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
}

/// Appends a packet with the wide header.
fn put(out: &mut Vec<u8>, number: u16, body: &[u8]) {
    out.extend(((4 + body.len()) as u16).to_be_bytes());
    out.extend(number.to_be_bytes());
    out.extend(body);
}

/// A compressed or jumbo block around `bytes`, by the one zlib form that needs no compressor.
fn block(bytes: &[u8], jumbo: bool) -> Vec<u8> {
    let mut zlib = vec![0x78, 0x01];
    let mut chunks = bytes.chunks(60_000).peekable();
    while let Some(chunk) = chunks.next() {
        zlib.push(u8::from(chunks.peek().is_none()));
        let length = chunk.len() as u16;
        zlib.extend(length.to_le_bytes());
        zlib.extend((!length).to_le_bytes());
        zlib.extend(chunk);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    zlib.extend((high << 16 | low).to_be_bytes());
    if jumbo || zlib.len() > 40_000 {
        let total = (6 + zlib.len()) as u32;
        [&[0xff, 0xff][..], &total.to_be_bytes(), &zlib].concat()
    } else {
        let length = (16_385 + 2 + zlib.len()) as u16;
        [&length.to_be_bytes()[..], &zlib].concat()
    }
}

/// All events of a stream that starts with a join, fed in pieces; it must leave nothing over.
fn events(stream: &[u8], piece: usize) -> Vec<Event> {
    let mut connection = Connection::new(v3_0(), Limits::default()).expect("a complete table");
    connection.read_all();
    connection.join("tester").expect("a lawful name");
    for _ in 0..2_000 {
        connection.request("CLIENT_HEARTBEAT", &[]).expect("a lawful request");
    }
    let mut events = Vec::new();
    for piece in stream.chunks(piece) {
        connection.receive(piece).expect("a sound stream");
        while let Some(event) = connection.next_event().expect("a sound packet") {
            events.push(event);
        }
    }
    assert_eq!(connection.waiting_bytes(), 0);
    events
}

/// The packets of a recorded stream without its blocks.
fn plain_packets(stream: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut framer = Framer::new(v3_0().header_before, Limits::default());
    framer.push(stream).expect("a recorded stream");
    let reply = v3_0().packet("SERVER_JOIN_REPLY").expect("a complete table").number;
    let mut packets = Vec::new();
    while let Some(frame) = framer.next_frame().expect("a recorded stream") {
        let number = frame.number;
        packets.push((number, frame.body.to_vec()));
        if number == reply {
            framer.set_number_bytes(v3_0().header_after);
        }
    }
    packets
}

/// Most memory this process ever held, where the system tells it.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Marsaglia's xorshift64: enough to scatter, and the same everywhere.
struct Random(u64);

fn random(seed: u64) -> Random {
    Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 32) as u8
    }
}
