//! Orders by planner and kind of action: how many came to nothing, and what the server said.

use serde_json::{Value, json};

use crate::error::ReportError;
use crate::orders::{KindOrders, OrderBook};
use crate::report::Report;
use crate::rows::EpisodeRow;
use crate::tables::caption::{close, title};
use crate::tables::sections::{self, HEADS, Sections, sections};
use crate::tables::{Rendered, Table, TableColumn, csv, head};
use crate::text::{brief, inline, row};

/// The table of orders.
pub(crate) const TABLE: Table = Table {
    name: "orders",
    title: "How the orders went",
    columns: &[sections::COLUMNS, COLUMNS],
    render,
};

/// Refusals told in words for each kind.
const WORDS_MAX: usize = 3;
/// Characters of these words in Markdown.
const WORDS_LENGTH: usize = 120;
/// The row over all kinds.
const ALL: &str = "all";

const COLUMNS: &[TableColumn] = &[
    TableColumn::int("games", "games", "games whose closed turns are counted"),
    TableColumn::text("kind", "kind of action; all sums up the kinds above it"),
    TableColumn::int("orders", "orders", "orders that were chosen, the stale ones among them"),
    TableColumn::int("sent", "orders", "of these, orders that reached the server"),
    TableColumn::int("done", "orders", "orders whose effect was seen"),
    TableColumn::int("refused", "orders", "orders the server said no to"),
    TableColumn::int("ignored", "orders", "orders that changed nothing, without a word"),
    TableColumn::int("stale", "orders", "no longer lawful when their time came; not sent"),
    TableColumn::real("not_done_share", "", "(refused + ignored + stale) over orders"),
    TableColumn::int("skipped", "decisions", "decisions to do nothing; no orders"),
    TableColumn::int("no_op", "decisions", "decisions without a lawful answer; no orders"),
    TableColumn::text("refused_words_1", "the server's words for most of the refusals"),
    TableColumn::int("refused_count_1", "orders", "how often it said them"),
    TableColumn::text("refused_words_2", "its second most frequent words"),
    TableColumn::int("refused_count_2", "orders", "how often it said them"),
    TableColumn::text("refused_words_3", "its third most frequent words"),
    TableColumn::int("refused_count_3", "orders", "how often it said them"),
];

/// What the games of a cell gave.
struct Line {
    games: usize,
    book: OrderBook,
}

impl Line {
    fn new(group: &[&EpisodeRow]) -> Self {
        let books = || group.iter().filter_map(|e| e.orders.as_ref());
        let mut book = OrderBook::default();
        books().for_each(|game| book += game);
        Self { games: books().count(), book }
    }

    /// The kinds in order, then all of them together.
    fn rows(&self) -> impl Iterator<Item = (&str, KindOrders)> {
        let kinds = self.book.kinds.iter().map(|(kind, orders)| (kind.as_str(), orders.clone()));
        kinds.chain([(ALL, self.book.total())])
    }
}

fn render(table: &Table, report: &Report) -> Result<Rendered, ReportError> {
    let sections = sections(report.episodes(), |group| Line::new(&group));
    Ok(Rendered {
        markdown: markdown(table, report, &sections),
        csv: csv(table, &head(table), &records(&sections))?,
        json: as_json(&sections),
    })
}

fn markdown(table: &Table, report: &Report, sections: &Sections<'_, Line>) -> String {
    let mut out = title(table, report);
    let mut head = HEADS.map(str::to_owned).to_vec();
    head.extend(
        [
            "Games", "Kind", "Orders", "Sent", "Done", "Refused", "Ignored", "Stale", "Not done",
            "Skipped", "No-op",
        ]
        .map(str::to_owned),
    );
    let numbers = |from: usize| head.len() - from;
    let mut rule = vec!["---".to_owned(); HEADS.len()];
    rule.push("---:".to_owned());
    rule.push("---".to_owned());
    rule.extend(vec!["---:".to_owned(); numbers(rule.len())]);
    for (section, lines) in sections {
        out += &section.heading();
        out += &row(&head);
        out += &row(&rule);
        for (cell, line) in lines {
            for (kind, orders) in line.rows() {
                let mut cells = cell.cells();
                cells.push(line.games.to_string());
                cells.push(if kind == ALL { format!("**{ALL}**") } else { inline(kind) });
                cells.extend(counts(&orders, not_done(&orders)));
                out += &row(&cells);
            }
        }
        out += &refusals(lines);
    }
    out += &close(report, &caption(report), "of which the closed turns are counted");
    out
}

/// `7.9 % (3/38)`.
fn not_done(orders: &KindOrders) -> String {
    let counts = orders.counts;
    orders.not_done_share().map_or("—".to_owned(), |share| {
        format!("{:.1} % ({}/{})", 100.0 * share, counts.not_done(), counts.orders())
    })
}

fn counts(orders: &KindOrders, not_done: String) -> Vec<String> {
    let c = orders.counts;
    let before = [c.orders(), c.sent(), c.done, c.refused, c.ignored, c.stale];
    let mut fields: Vec<String> = before.iter().map(u64::to_string).collect();
    fields.push(not_done);
    fields.extend([c.skipped, c.no_op].map(|n| n.to_string()));
    fields
}

/// The server's words, most frequent first.
fn refusals(lines: &std::collections::BTreeMap<sections::Cell<'_>, Line>) -> String {
    let mut out = String::new();
    for (cell, line) in lines {
        for (kind, orders) in &line.book.kinds {
            for (words, count) in orders.top_words(WORDS_MAX) {
                let mut cells = cell.cells();
                cells.extend([inline(kind), count.to_string(), brief(words, WORDS_LENGTH)]);
                out += &row(&cells);
            }
        }
    }
    if out.is_empty() {
        return "\nThe server refused no order.\n".to_owned();
    }
    let mut head = HEADS.map(str::to_owned).to_vec();
    head.extend(["Kind", "Refused", "In these words"].map(str::to_owned));
    let mut rule = vec!["---".to_owned(); HEADS.len() + 1];
    rule.extend(["---:", "---"].map(str::to_owned));
    format!(
        "\nWhat the server said to refused orders, at most {WORDS_MAX} sayings for each kind:\n\n\
         {}{}{out}",
        row(&head),
        row(&rule)
    )
}

fn caption(report: &Report) -> Vec<String> {
    let mut notes = vec![
        "Totals over the closed turns of the first game of every run, failed runs too. *Orders* \
         were chosen to be carried out; *sent* ones reached the server. *Done*: the effect was \
         seen; *refused*: the server said no; *ignored*: nothing changed and nothing was said; \
         *stale*: no longer lawful when its time came, not sent. *Not done* is refused + ignored \
         + stale over orders."
            .to_owned(),
        "*Skipped* and *no-op* are decisions that make no order: to do nothing, and without a \
         lawful answer. Both stand under `skip`."
            .to_owned(),
    ];
    let unread = report.first_games().filter(|e| e.orders.is_none()).count();
    if unread > 0 {
        notes.push(format!("{unread} games without a readable trace are not in it."));
    }
    notes
}

fn records(sections: &Sections<'_, Line>) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    for (section, lines) in sections {
        for (cell, line) in lines {
            for (kind, orders) in line.rows() {
                let mut record = section.fields(cell);
                record.extend([line.games.to_string(), kind.to_owned()]);
                let share = orders.not_done_share().map_or(String::new(), |s| format!("{s:.6}"));
                record.extend(counts(&orders, share));
                let words = orders.top_words(WORDS_MAX);
                for i in 0..WORDS_MAX {
                    let (words, count) = words.get(i).copied().unzip();
                    record.push(words.unwrap_or_default().to_owned());
                    record.push(count.map_or(String::new(), |n: u64| n.to_string()));
                }
                records.push(record);
            }
        }
    }
    records
}

fn as_json(sections: &Sections<'_, Line>) -> Value {
    let mut rows = Vec::new();
    for (section, lines) in sections {
        for (cell, line) in lines {
            for (kind, orders) in line.rows() {
                let c = orders.counts;
                let words: Vec<Value> = orders
                    .top_words(WORDS_MAX)
                    .into_iter()
                    .map(|(words, count)| json!({ "words": words, "count": count }))
                    .collect();
                let mut row = section.json(cell);
                let more = [
                    ("games", json!(line.games)),
                    ("kind", json!(kind)),
                    ("orders", json!(c.orders())),
                    ("sent", json!(c.sent())),
                    ("done", json!(c.done)),
                    ("refused", json!(c.refused)),
                    ("ignored", json!(c.ignored)),
                    ("stale", json!(c.stale)),
                    ("not_done_share", json!(orders.not_done_share())),
                    ("skipped", json!(c.skipped)),
                    ("no_op", json!(c.no_op)),
                    ("refusals", json!(words)),
                ];
                row.extend(more.map(|(key, value)| (key.to_owned(), value)));
                rows.push(row);
            }
        }
    }
    json!({ "rows": rows })
}
