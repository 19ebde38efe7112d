//! What the ledgers of a runs folder say about its traces: which attempts were started and left no
//! trace, and whether the plan of the analysis stood before the first game.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use saga_core::trace::ledger::{Event, LedgerLine, read_ledger};

use crate::scan::TRACE_SUFFIX;
use crate::text::inline;

/// Name of the ledger in the folder of a matrix.
pub(crate) const LEDGER: &str = "ledger.jsonl";

/// Attempts or traces that a fault names one by one.
const NAMED_MAX: usize = 5;

/// One ledger, held against the traces that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFacts {
    /// The file, below the runs folder.
    pub ledger: String,
    /// What it tells, or why its chain of hashes does not hold.
    pub told: Result<Told, String>,
}

/// What a sound ledger tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// BLAKE3 of its last line, hexadecimal: a ledger that was shortened since has another.
    pub head: String,
    /// Attempts that began.
    pub starts: usize,
    /// Attempts that came to an end.
    pub ends: usize,
    /// The plan of the analysis, each time it was written.
    pub analyses: Vec<Declared>,
    /// Attempts whose trace is not among those found: `stem, attempt N (line M): why`.
    pub without_trace: Vec<String>,
    /// Those among them whose trace was there when they ended, and was removed since.
    pub removed: Vec<String>,
    /// Games that were begun and have no trace in their place: the trace, and how often they were.
    pub missing: Vec<(String, usize)>,
    /// Traces whose bytes are not those that were there when the attempt ended.
    pub altered: Vec<String>,
    /// Traces beside the ledger that no attempt in it can have made.
    pub unknown: Vec<String>,
}

/// The plan of the analysis as it stood at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// BLAKE3 of its text, hexadecimal.
    pub hash: String,
    /// When, as the ledger has it; `None` when it has no date.
    pub at: Option<String>,
    /// Attempts that had begun by then.
    pub starts_before: usize,
}

/// An attempt, put together from its two lines.
struct Attempt<'a> {
    line: u64,
    stem: &'a str,
    number: u32,
    has_ended: bool,
    /// Of its trace, from its end line.
    hash: Option<&'a str>,
}

impl LedgerFacts {
    /// Reads one ledger. `traces` has the hash of every trace that was found, by its path below the
    /// runs folder.
    pub(crate) fn read(root: &Path, ledger: &str, traces: &BTreeMap<String, String>) -> Self {
        let path = ledger.split('/').fold(root.to_owned(), |path, part| path.join(part));
        let told = match read_ledger(&path) {
            Ok((lines, head)) => {
                let folder = ledger.strip_suffix(LEDGER).unwrap_or_default();
                Ok(tell(&lines, head, folder, traces))
            }
            Err(e) => Err(e.to_string().replace(&path.display().to_string(), ledger)),
        };
        Self { ledger: ledger.to_owned(), told }
    }

    /// What of it says that this is not the evidence that was recorded, in words. `is_counted`:
    /// whether a trace is part of any number.
    pub(crate) fn faults(&self, is_counted: impl Fn(&str) -> bool) -> Vec<String> {
        let told = match &self.told {
            Err(detail) => {
                return vec![format!("the ledger {} is broken: {detail}", self.ledger)];
            }
            Ok(told) => told,
        };
        let mut faults = told.altered.clone();
        if !told.removed.is_empty() {
            faults.push(format!(
                "{} of {} attempts recorded in {} were removed since they ended: {}",
                told.removed.len(),
                told.starts,
                self.ledger,
                named(&told.removed)
            ));
        }
        let strange: Vec<String> =
            told.unknown.iter().filter(|trace| is_counted(trace)).cloned().collect();
        if !strange.is_empty() {
            faults.push(format!(
                "no attempt in {} made {}: the ledger was shortened or the traces come from \
                 elsewhere",
                self.ledger,
                named(&strange)
            ));
        }
        faults
    }
}

/// The first few of a list; the rest stand in `PROVENANCE.md`.
fn named(all: &[String]) -> String {
    let shown = all.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(NAMED_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more (PROVENANCE.md has all)"),
    }
}

fn tell(
    lines: &[LedgerLine],
    head: String,
    folder: &str,
    traces: &BTreeMap<String, String>,
) -> Told {
    let mut told = Told { head, ..Told::default() };
    let mut attempts: Vec<Attempt> = Vec::new();
    for line in lines {
        match &line.event {
            Event::Analysis { hash } => told.analyses.push(Declared {
                hash: hash.clone(),
                at: line.at.clone(),
                starts_before: told.starts,
            }),
            Event::Start { stem, attempt, .. } => {
                told.starts += 1;
                let (line, number) = (line.seq, *attempt);
                attempts.push(Attempt { line, stem, number, has_ended: false, hash: None });
            }
            Event::End { stem, attempt, trace_hash, .. } => {
                told.ends += 1;
                let begun = attempts.iter_mut().rev().find(|a| a.stem == stem);
                if let Some(begun) = begun.filter(|a| a.number == *attempt) {
                    begun.has_ended = true;
                    begun.hash = trace_hash.as_deref();
                }
            }
        }
    }
    compare(&attempts, folder, traces, &mut told);
    let mut begun: BTreeMap<String, usize> = BTreeMap::new();
    for attempt in &attempts {
        *begun.entry(format!("{folder}{}{TRACE_SUFFIX}", attempt.stem)).or_default() += 1;
    }
    told.missing = begun.into_iter().filter(|(trace, _)| !traces.contains_key(trace)).collect();
    told
}

/// Gives every trace to the attempt that made it, the surest first: by name and hash, then by name
/// to the last attempt that could have made it.
fn compare(
    attempts: &[Attempt<'_>],
    folder: &str,
    traces: &BTreeMap<String, String>,
    told: &mut Told,
) {
    let mut free: BTreeMap<&str, &str> = traces
        .iter()
        .filter(|(path, _)| path.starts_with(folder))
        .map(|(path, hash)| (path.as_str(), hash.as_str()))
        .collect();
    let names = |a: &Attempt<'_>| {
        let stem = a.stem;
        [format!(".attempt-{}", a.number), String::new()]
            .map(|aside| format!("{folder}{stem}{aside}{TRACE_SUFFIX}"))
    };
    let mut open: Vec<&Attempt<'_>> = Vec::new();
    for attempt in attempts.iter().rev() {
        let own = names(attempt).into_iter().find(|name| {
            let hash = free.get(name.as_str());
            hash.is_some() && attempt.hash == hash.copied()
        });
        match own {
            Some(name) => drop(free.remove(name.as_str())),
            None => open.push(attempt),
        }
    }
    let mut lost = Vec::new();
    let mut altered = BTreeSet::new();
    for attempt in open {
        let place = format!(
            "{folder}{}, attempt {} (line {} of the ledger)",
            attempt.stem, attempt.number, attempt.line
        );
        let there = names(attempt).into_iter().find(|name| free.contains_key(name.as_str()));
        match (attempt.hash, there) {
            (None, _) if attempt.has_ended => lost.push(format!("{place}: it ended without one")),
            (hash, None) => {
                if hash.is_some() {
                    told.removed.push(place.clone());
                }
                lost.push(format!("{place}: not among the traces found"));
            }
            (None, Some(name)) => drop(free.remove(name.as_str())),
            (Some(hash), Some(name)) => {
                let today = free.remove(name.as_str()).unwrap_or_default();
                altered.insert(format!(
                    "{name} is not the trace that was recorded: its BLAKE3 is {today}, when the \
                     attempt ended it was {hash}"
                ));
            }
        }
    }
    lost.reverse();
    told.removed.reverse();
    told.without_trace = lost;
    told.altered = altered.into_iter().collect();
    told.unknown = free.into_keys().map(str::to_owned).collect();
}

/// The part of `PROVENANCE.md` about ledgers.
pub(crate) fn section(ledgers: &[LedgerFacts]) -> String {
    let mut out = "\n## Ledger\n\n".to_owned();
    if ledgers.is_empty() {
        out += "None lies beside these traces: attempts that were discarded cannot be seen here, \
                and nothing says when the analysis was planned.\n";
    }
    for facts in ledgers {
        let name = inline(&facts.ledger);
        match &facts.told {
            Err(detail) => {
                let _ = writeln!(
                    out,
                    "- **Warning**: {name} is broken and proves nothing: {}",
                    inline(detail)
                );
            }
            Ok(told) => told_words(&name, told, &mut out),
        }
    }
    out
}

fn told_words(name: &str, told: &Told, out: &mut String) {
    let _ = writeln!(out, "- {name}: BLAKE3 of its last line {}", told.head);
    let _ = writeln!(out, "- attempts: {} started, {} ended", told.starts, told.ends);
    let mut planned = told.analyses.iter();
    match planned.next() {
        None => *out += "- `[analysis]`: never declared\n",
        Some(first) => {
            let when = match first.starts_before {
                0 => "before the first game".to_owned(),
                n => format!("**after {n} games had begun**"),
            };
            let _ = writeln!(out, "- `[analysis]` declared {when}: {}", declared(first));
        }
    }
    match planned.len() {
        0 if told.analyses.is_empty() => {}
        0 => *out += "- `[analysis]` changed later: no\n",
        _ => {
            for later in planned {
                let n = later.starts_before;
                let _ = writeln!(
                    out,
                    "- `[analysis]` **changed after {n} games had begun**: {}",
                    declared(later)
                );
            }
        }
    }
    let _ = writeln!(out, "- attempts without a trace here: {}", told.without_trace.len());
    for (title, list) in [
        ("", &told.without_trace),
        ("**Warning**: ", &told.altered),
        ("no attempt of the ledger made ", &told.unknown),
    ] {
        for words in list {
            let _ = writeln!(out, "  - {title}{}", inline(words));
        }
    }
}

fn declared(plan: &Declared) -> String {
    let at = plan.at.as_deref().map_or("no date".to_owned(), inline);
    format!("{at}, BLAKE3 {}", inline(&plan.hash))
}

#[cfg(test)]
mod tests {
    use saga_core::trace::entry::EndReason;

    use super::*;

    fn line(seq: u64, event: Event) -> LedgerLine {
        LedgerLine { seq, prev_hash: String::new(), at: Some("2026-01-02T03:04:05Z".into()), event }
    }

    fn start(stem: &str, attempt: u32) -> Event {
        Event::Start { stem: stem.into(), attempt, identity_hash: "i".into() }
    }

    fn end(stem: &str, attempt: u32, hash: Option<&str>) -> Event {
        Event::End {
            stem: stem.into(),
            attempt,
            identity_hash: "i".into(),
            reason: Some(EndReason::TurnLimit),
            trace_hash: hash.map(str::to_owned),
        }
    }

    fn told(events: Vec<Event>, traces: &[(&str, &str)]) -> Told {
        let lines: Vec<LedgerLine> =
            events.into_iter().enumerate().map(|(i, e)| line(i as u64 + 1, e)).collect();
        let traces = traces
            .iter()
            .map(|(stem, hash)| (format!("q/{stem}{TRACE_SUFFIX}"), (*hash).to_owned()))
            .collect();
        tell(&lines, "head".into(), "q/", &traces)
    }

    #[test]
    fn an_attempt_that_was_thrown_away_and_played_again_shows() {
        let events = vec![
            start("a", 1),
            end("a", 1, Some("bad luck")),
            start("a", 1),
            end("a", 1, Some("good luck")),
        ];
        let told = told(events, &[("a", "good luck")]);
        assert_eq!((told.starts, told.ends), (2, 2));
        assert_eq!(
            told.without_trace,
            ["q/a, attempt 1 (line 1 of the ledger): not among the traces found"]
        );
        assert!(told.altered.is_empty() && told.unknown.is_empty());
    }

    #[test]
    fn what_was_set_aside_and_what_was_killed_is_kept() {
        let events = vec![
            start("a", 1),
            start("a", 2),
            end("a", 2, Some("two")),
            start("b", 1),
            end("b", 1, None),
            start("b", 1),
        ];
        let told = told(events, &[("a.attempt-1", "one"), ("a", "two"), ("b", "three")]);
        assert_eq!(
            told.without_trace,
            ["q/b, attempt 1 (line 4 of the ledger): it ended without one"]
        );
        assert!(told.altered.is_empty() && told.unknown.is_empty());
    }

    #[test]
    fn a_game_whose_trace_was_removed_is_missing_and_a_fault() {
        let events = vec![start("a", 1), end("a", 1, Some("one")), start("b", 1), start("c", 1)];
        let told = told(events, &[("b", "two"), ("d", "three")]);
        let missing = |stem: &str| (format!("q/{stem}{TRACE_SUFFIX}"), 1);
        assert_eq!(told.missing, [missing("a"), missing("c")]);
        let facts = LedgerFacts { ledger: "q/ledger.jsonl".into(), told: Ok(told) };
        let faults = facts.faults(|_| true);
        assert_eq!(
            faults[0],
            "1 of 3 attempts recorded in q/ledger.jsonl were removed since they ended: q/a, \
             attempt 1 (line 1 of the ledger)"
        );
        assert!(faults[1].starts_with("no attempt in q/ledger.jsonl made q/d"), "{faults:?}");
        assert_eq!(facts.faults(|_| false).len(), 1, "what counts nowhere is no fault");
    }

    #[test]
    fn a_trace_that_is_another_and_one_that_nobody_played_are_named() {
        let events = vec![start("a", 1), end("a", 1, Some("one"))];
        let told = told(events, &[("a", "two"), ("b", "three")]);
        assert!(told.altered[0].contains("is two, when the attempt ended it was one"));
        assert_eq!(told.unknown, [format!("q/b{TRACE_SUFFIX}")]);
    }

    #[test]
    fn a_plan_that_came_late_or_changed_is_called_so() {
        let plan = |hash: &str| Event::Analysis { hash: hash.into() };
        let words = |events| {
            let told = Ok(told(events, &[]));
            section(&[LedgerFacts { ledger: "q/ledger.jsonl".into(), told }])
        };
        let text = words(vec![plan("p1"), start("a", 1)]);
        assert!(
            text.contains(
                "declared before the first game: 2026-01-02T03:04:05Z, BLAKE3 p1\n\
                 - `[analysis]` changed later: no\n"
            ),
            "{text}"
        );
        let text = words(vec![plan("p1"), start("a", 1), plan("p2")]);
        assert!(text.contains("**changed after 1 games had begun**"), "{text}");
        assert!(!text.contains("changed later: no"), "{text}");
        let text = words(vec![start("a", 1), plan("p1")]);
        assert!(text.contains("declared **after 1 games had begun**"), "{text}");
        assert!(words(vec![start("a", 1)]).contains("never declared"));
    }
}
