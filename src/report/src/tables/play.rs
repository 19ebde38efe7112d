//! How the games were played: standing among the players, orders and how they went, calls.

use crate::error::ReportError;
use crate::metrics::{PLAY, STANDING};
use crate::report::Report;
use crate::tables::caption::notes;
use crate::tables::grid::{self, Grid};
use crate::tables::{Rendered, Table};

/// The table of play.
pub(crate) const TABLE: Table =
    Table { name: "play", title: "How it was played", columns: grid::COLUMNS, render };

fn render(table: &Table, report: &Report) -> Result<Rendered, ReportError> {
    let grid = Grid::new(report.episodes(), STANDING.iter().chain(PLAY).collect());
    let mut caption = notes(report);
    caption.push(
        "Rank, share and best opponent come from the server's score log at turn `turns_max`; of a \
         player that died before, its last score stands. *Turn of death* is over the games in \
         which our player died."
            .to_owned(),
    );
    caption.push(
        "Orders are totals over the game. *Done*: the effect was seen; *refused*: the server said \
         no; *ignored*: nothing changed and nothing was said; *stale*: no longer lawful when its \
         time came, not sent. *Active share*: orders done that are neither fortify nor sentry, \
         over orders done and skips."
            .to_owned(),
    );
    grid.render(table, report, &caption)
}
