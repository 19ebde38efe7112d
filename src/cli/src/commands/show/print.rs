//! The readable form of a game. Every line that quotes a server or a model is cleaned of control
//! characters first: a trace may come from anywhere, a terminal obeys them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use saga_core::action::Outcome;
use saga_core::backbone::{AnswerShape, Speaker};
use saga_core::game::{PlayerRecord, ServerRecord};
use saga_core::logged::missing_words;
use saga_core::measures::Measures;
use saga_core::plan::Directive;
use saga_core::trace::entry::{CallEntry, CallReply, End, Header, RoleUsage, TurnEntry};
use saga_core::words::Naming;

use super::Told;
use super::names::Names;

/// Characters of a note or a brief shown in a game; `--json` has all of it.
const SHOWN: usize = 300;

pub(super) fn header(h: &Header, out: &mut dyn Write) -> io::Result<()> {
    let id = &h.spec.identity;
    let game = &id.game;
    let parameters: Vec<String> =
        id.planner.parameters.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    let parameters = parameters.join(", ");
    let planner = format!("{} {} {parameters}", id.planner.name, id.planner.variant);
    let backbones: Vec<String> =
        id.backbones.iter().map(|(role, b)| format!("{role} = {}", b.name)).collect();
    writeln!(out, "episode {}  (format {}, saga {})", h.identity_hash, h.version, h.written_by)?;
    writeln!(out, "  planner    {}", planner.trim_end())?;
    writeln!(out, "  backbones  {}", backbones.join(", "))?;
    writeln!(
        out,
        "  game       {} against {} × {}, {} turns, map_seed {}, game_seed {}, run {}",
        game.ruleset,
        game.opponents,
        game.ai_skill,
        game.turns_max,
        game.map_seed,
        game.game_seed,
        id.run
    )?;
    let l = &id.limits;
    writeln!(
        out,
        "  limits     rounds_max {}, reprompts_max {}, history_max {}, review_turns {}",
        l.rounds_max, l.reprompts_max, l.history_max, l.review_turns
    )
}

pub(super) fn server(s: &ServerRecord, out: &mut dyn Write) -> io::Result<()> {
    let hash: String = s.binary_hash.chars().take(16).collect();
    writeln!(out, "  server     {}, binary {hash}", clean(&s.version))
}

pub(super) fn turn(
    turn: &TurnEntry,
    told: &Told,
    names: &Names,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\nturn {}  {}", turn.turn, measures(&turn.measures))?;
    for event in &told.events {
        let at = event.at.map_or(String::new(), |at| format!(" {at}"));
        writeln!(out, "  event       {}{at}", clean(&event.text))?;
    }
    for note in &told.notes {
        writeln!(out, "  note        {}: {}", note.kind, short(&note.body.to_string()))?;
    }
    plan(turn, told, names, out)?;
    let words = told.stood.words(&turn.decisions, names);
    for (decision, words) in turn.decisions.iter().zip(words) {
        let words = clean(&words);
        let options = decision.options;
        writeln!(out, "  {:<11} {words}  [of {options}]", decision.domain.word())?;
    }
    for call in &told.calls {
        writeln!(out, "  call        {}", call_line(call))?;
    }
    writeln!(out, "  {}", tally(turn))
}

fn measures(m: &Measures) -> String {
    format!(
        "score {} · cities {} · citizens {} · units {} ({} military) · advances {} · buildings {} \
         · gold {} · diplomacy {}",
        m.score,
        m.cities,
        m.citizens,
        m.units,
        m.military,
        m.technology,
        m.buildings,
        m.gold,
        m.diplomacy
    )
}

fn plan(turn: &TurnEntry, told: &Told, names: &Names, out: &mut dyn Write) -> io::Result<()> {
    let p = &turn.plan;
    let mut line = |field: &str, whom: &str, d: &Directive| {
        let brief =
            if d.brief.is_empty() { String::new() } else { format!("  ({})", short(&d.brief)) };
        writeln!(out, "  plan        {field}{whom}: {}{brief}", short(&d.text))
    };
    for (id, d) in &p.production {
        line("production ", &names.city(*id), d)?;
    }
    for (field, units) in
        [("garrison ", &p.garrison), ("civilian ", &p.civilian), ("military ", &p.military)]
    {
        for (id, d) in units {
            line(field, &told.stood.unit(*id, names), d)?;
        }
    }
    let whole =
        [("government", &p.government), ("technology", &p.technology), ("diplomacy", &p.diplomacy)];
    for (field, directive) in whole {
        if let Some(d) = directive {
            line(field, "", d)?;
        }
    }
    for (id, d) in &p.toward {
        line("toward ", &names.player(*id), d)?;
    }
    let dropped = p.dropped;
    if !dropped.is_empty() {
        writeln!(
            out,
            "  plan        dropped: {} unknown ids, {} unbuildable, {} misplaced",
            dropped.unknown_ids, dropped.unbuildable, dropped.misplaced
        )?;
    }
    Ok(())
}

/// Decisions and calls of a turn in numbers.
fn tally(turn: &TurnEntry) -> String {
    let count = |fits: fn(&Outcome) -> bool| {
        turn.decisions.iter().filter_map(|d| d.outcome.as_ref()).filter(|o| fits(o)).count()
    };
    let no_ops = turn.decisions.iter().filter(|d| d.no_op.is_some()).count();
    let used = total(&turn.usage);
    format!(
        "{} decisions: {} done, {} refused, {} ignored, {} stale, {no_ops} no-ops; {} calls \
         ({} re-prompts), tokens in {}, out {}",
        turn.decisions.len(),
        count(|o| *o == Outcome::Done),
        count(|o| matches!(o, Outcome::Refused { .. })),
        count(|o| *o == Outcome::Ignored),
        count(|o| *o == Outcome::Stale),
        used.calls,
        used.reprompts,
        used.input,
        used.output,
    )
}

fn total(usage: &BTreeMap<String, RoleUsage>) -> RoleUsage {
    usage.values().fold(RoleUsage::default(), |mut sum, u| {
        sum += *u;
        sum
    })
}

fn call_line(call: &CallEntry) -> String {
    let usage = call.reply.usage();
    let tokens = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    let said = match &call.reply {
        CallReply::Completion(c) => match &call.prompt.answer {
            AnswerShape::Choice { options } => chosen(&c.text, options),
            _ => short(&c.text),
        },
        CallReply::Fault(f) => format!("fault {:?}: {}", f.kind, short(&f.detail)),
        CallReply::Stop(s) => format!("no answer: {}", short(&s.to_string())),
    };
    format!("{} → {said}  (in {}, out {})", call.id, tokens(usage.input), tokens(usage.output))
}

/// A choice with the words of the option it names.
fn chosen(text: &str, options: &[String]) -> String {
    let number: Option<usize> = text.trim().parse().ok();
    match number.and_then(|n| options.get(n.checked_sub(1)?)) {
        Some(option) => format!("{} of {}: {}", text.trim(), options.len(), short(option)),
        None => short(text),
    }
}

pub(super) fn call_whole(call: &CallEntry, out: &mut dyn Write) -> io::Result<()> {
    let (prompt, sampling) = (&call.prompt, &call.prompt.sampling);
    writeln!(
        out,
        "call {}  backbone {}, temperature {}, tokens_max {}, seed {}",
        call.id, prompt.backbone, sampling.temperature, sampling.tokens_max, sampling.seed
    )?;
    for message in &prompt.messages {
        let speaker = match message.speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
            Speaker::Tool => "tool",
        };
        writeln!(out, "\n--- {speaker}\n{}", clean_lines(&message.text))?;
    }
    let wanted = serde_json::to_string_pretty(&prompt.answer).expect("a shape is plain data");
    writeln!(out, "\n--- answer wanted\n{}", clean_lines(&wanted))?;
    match &call.reply {
        CallReply::Completion(c) => {
            writeln!(out, "\n--- reply of {}\n{}", clean(&c.model), clean_lines(&c.text))?;
            for tool in &c.tool_calls {
                writeln!(out, "tool {} {}", clean(&tool.name), clean(&tool.arguments.to_string()))?;
            }
        }
        other => {
            let text = serde_json::to_string_pretty(other).expect("a reply is plain data");
            writeln!(out, "\n--- reply\n{}", clean_lines(&text))?;
        }
    }
    Ok(())
}

pub(super) fn end(end: &End, out: &mut dyn Write) -> io::Result<()> {
    let detail =
        if end.detail.is_empty() { String::new() } else { format!(": {}", clean(&end.detail)) };
    writeln!(out, "\nend  {} in turn {}{detail}", end.reason.word(), end.turn)?;
    writeln!(out, "  {}", measures(&end.measures))?;
    for (role, u) in &end.usage {
        writeln!(
            out,
            "  {role:<24} {} calls, {} re-prompts, {} faults, tokens in {}, out {}",
            u.calls, u.reprompts, u.faults, u.input, u.output
        )?;
    }
    if let Some(missing) = missing_words(end.checked, end.missing) {
        writeln!(out, "  {missing}")?;
    }
    for difference in &end.differs {
        writeln!(out, "  not as the server says: {difference}")?;
    }
    let Some(record) = &end.record else { return Ok(()) };
    for player in &record.players {
        if let Some(kind) = &player.barbarian {
            writeln!(out, "  {:<24} {kind} barbarians", clean(&player.name), kind = clean(kind))?;
            continue;
        }
        let last = |tag: &str| last_of(player, tag).map_or("?".to_owned(), |v| v.to_string());
        let won = if record.winners.contains(&player.seat) { ", winner" } else { "" };
        writeln!(
            out,
            "  {:<24} score {}, cities {}{won}",
            clean(&player.name),
            last("score"),
            last("cities")
        )?;
    }
    Ok(())
}

fn last_of(player: &PlayerRecord, tag: &str) -> Option<i64> {
    player.series.get(tag)?.last().map(|(_, value)| *value)
}

/// At most [`SHOWN`] characters on one line.
fn short(text: &str) -> String {
    let mut shown: String = clean(text).chars().take(SHOWN).collect();
    if shown.chars().count() < text.chars().count() {
        shown.push('…');
    }
    shown
}

/// One line without control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Lines without any other control characters.
fn clean_lines(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}
