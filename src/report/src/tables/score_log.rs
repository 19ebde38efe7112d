//! Every measure that the server counts as well, held against its score log in every turn of every
//! game.

use std::fmt::Write;

use saga_core::logged::{COUNTERPARTS, Compared, Counterpart, UNLOGGED};
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::report::Report;
use crate::tables::caption::{close, title};
use crate::tables::{Rendered, Table, TableColumn, csv, head};
use crate::text::{inline, row};

/// The table of the check.
pub(crate) const TABLE: Table = Table {
    name: "score_log",
    title: "Checked against the score log",
    columns: &[COLUMNS],
    render,
};

const COLUMNS: &[TableColumn] = &[
    TableColumn::text("measure", "name of the measure"),
    TableColumn::text("tag", "name of the figure in the server's score log"),
    TableColumn::int("games", "games", "games with such a figure"),
    TableColumn::int("turns", "turns", "turns in which both are there and were compared"),
    TableColumn::int("missing", "turns", "turns of games with a log that has no such figure then"),
    TableColumn::int("differ", "turns", "compared turns in which the two are not equal"),
    TableColumn::text("first_trace", "the game in which they first differ, by path"),
    TableColumn::int("first_turn", "turn", "its first such turn"),
    TableColumn::int("first_measured", "", "what was measured then"),
    TableColumn::int("first_logged", "", "what the log says"),
];

/// One measure over all games.
struct Line<'a> {
    counterpart: &'static Counterpart,
    games: usize,
    turns: u64,
    missing: u64,
    differ: u64,
    first: Option<(&'a str, &'a Compared)>,
}

fn lines(report: &Report) -> Vec<Line<'_>> {
    let line = |counterpart: &'static Counterpart| {
        let games = report.episodes().iter().filter_map(|e| Some((e, e.log.as_ref()?)));
        let compared = games.flat_map(|(e, log)| log.compared.iter().map(move |c| (e, c)));
        let all: Vec<_> = compared.filter(|(_, c)| c.measure == counterpart.measure).collect();
        let sum = |of: fn(&Compared) -> u32| all.iter().map(|(_, c)| u64::from(of(c))).sum();
        let first = all.iter().find(|(_, c)| c.differ > 0);
        Line {
            counterpart,
            games: all.iter().filter(|(_, c)| c.turns > 0).count(),
            turns: sum(|c| c.turns),
            missing: sum(|c| c.missing),
            differ: sum(|c| c.differ),
            first: first.map(|(e, c)| (e.trace.as_str(), *c)),
        }
    };
    COUNTERPARTS.iter().map(line).collect()
}

fn render(table: &Table, report: &Report) -> Result<Rendered, ReportError> {
    let lines = lines(report);
    let records: Vec<Vec<String>> = lines.iter().map(Line::record).collect();
    Ok(Rendered {
        markdown: markdown(table, report, &lines),
        csv: csv(table, &head(table), &records)?,
        json: json!({ "rows": lines.iter().map(Line::json).collect::<Vec<_>>() }),
    })
}

fn markdown(table: &Table, report: &Report, lines: &[Line<'_>]) -> String {
    let mut out = title(table, report);
    out.push('\n');
    let head = [
        "Measure",
        "Figure in the log",
        "What both are",
        "Games",
        "Turns compared",
        "Turns missing",
        "Turns that differ",
        "First difference",
    ];
    out += &row(&head.map(str::to_owned));
    let rule = ["---", "---", "---", "---:", "---:", "---:", "---:", "---"];
    out += &row(&rule.map(str::to_owned));
    for line in lines {
        let Counterpart { measure, tag, why, .. } = line.counterpart;
        out += &row(&[
            inline(measure),
            format!("`{tag}`"),
            inline(why),
            line.games.to_string(),
            line.turns.to_string(),
            line.missing.to_string(),
            line.differ.to_string(),
            line.first_words(),
        ]);
    }
    out += "\nMeasures of which the log has no figure:\n\n";
    for (measure, why) in UNLOGGED {
        let _ = writeln!(out, "- {}: {why}", inline(measure));
    }
    out += &close(report, &caption(report), "compared as far as they have a log");
    out
}

fn caption(report: &Report) -> Vec<String> {
    let all = report.episodes().len();
    let logged = report.episodes().iter().filter(|e| e.log.is_some()).count();
    vec![
        "The server writes a line for each player when a turn opens, before anybody moves in it; \
         the measures are taken at that moment. Every closed turn of every game is compared, not \
         only the last; later games of chains too."
            .to_owned(),
        format!("{logged} of {all} games have a log; without one nothing can be checked."),
    ]
}

impl Line<'_> {
    fn first_words(&self) -> String {
        let Some((trace, difference)) = self.first.and_then(|(t, c)| Some((t, c.first.as_ref()?)))
        else {
            return "—".to_owned();
        };
        let (turn, ours, logged) = (difference.turn, difference.measured, difference.logged);
        format!("{}, turn {turn}: measured {ours}, logged {logged}", inline(trace))
    }

    fn record(&self) -> Vec<String> {
        let mut record = vec![
            self.counterpart.measure.to_owned(),
            self.counterpart.tag.to_owned(),
            self.games.to_string(),
            self.turns.to_string(),
            self.missing.to_string(),
            self.differ.to_string(),
        ];
        match self.first.and_then(|(trace, c)| Some((trace, c.first.as_ref()?))) {
            Some((trace, first)) => record.extend([
                trace.to_owned(),
                first.turn.to_string(),
                first.measured.to_string(),
                first.logged.to_string(),
            ]),
            None => record.extend(vec![String::new(); 4]),
        }
        record
    }

    fn json(&self) -> Value {
        let first = self.first.and_then(|(trace, c)| {
            let first = c.first.as_ref()?;
            Some(json!({ "trace": trace, "turn": first.turn, "measured": first.measured,
                         "logged": first.logged }))
        });
        json!({ "measure": self.counterpart.measure, "tag": self.counterpart.tag,
                "games": self.games, "turns": self.turns, "missing": self.missing,
                "differ": self.differ, "first": first })
    }
}
