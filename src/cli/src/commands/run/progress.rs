//! What a person sees while games run: a bar for each on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::tell::tell;

/// Plain lines about one running game come no closer together than this.
const LINES_APART: Duration = Duration::from_secs(10);

/// Progress of a whole matrix.
pub(super) struct Progress {
    bars: Option<(MultiProgress, ProgressBar)>,
    total: usize,
    done: Mutex<usize>,
}

/// Progress of one game.
pub(super) struct GameProgress<'p> {
    all: &'p Progress,
    bar: Option<ProgressBar>,
    title: String,
    turns_max: u32,
    began: Instant,
    told: Instant,
}

/// What is told of a running game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Running {
    pub(super) turn: u32,
    pub(super) score: i64,
    pub(super) calls: u64,
    pub(super) tokens: u64,
}

impl Progress {
    /// For a number of games that are to be played.
    pub(super) fn new(total: usize) -> Self {
        let bars = std::io::stderr().is_terminal().then(|| {
            let multi = MultiProgress::new();
            let overall = ProgressBar::new(total as u64)
                .with_style(style("{bar:24} {pos}/{len} games, {elapsed} gone, about {eta} to go"));
            let overall = multi.add(overall);
            overall.enable_steady_tick(Duration::from_millis(500));
            (multi, overall)
        });
        Self { bars, total, done: Mutex::new(0) }
    }

    /// A game begins.
    pub(super) fn begin(&self, title: String, turns_max: u32) -> GameProgress<'_> {
        let bar = self.bars.as_ref().map(|(multi, overall)| {
            let style = style("{prefix:36!} {bar:24} turn {pos}/{len}  {msg}");
            let bar = ProgressBar::new(u64::from(turns_max)).with_style(style);
            let bar = multi.insert_before(overall, bar);
            bar.set_prefix(title.clone());
            bar
        });
        if bar.is_none() {
            self.line(&format!("{title}: begins"));
        }
        let now = Instant::now();
        GameProgress { all: self, bar, title, turns_max, began: now, told: now }
    }

    /// A line that stays, above the bars.
    pub(super) fn line(&self, text: &str) {
        match &self.bars {
            // Nothing can be done when the terminal is gone; the games go on.
            Some((multi, _)) => drop(multi.println(text)),
            None => tell(text),
        }
    }

    /// Takes the bars away.
    pub(super) fn finish(&self) {
        if let Some((multi, overall)) = &self.bars {
            overall.finish_and_clear();
            drop(multi.clear());
        }
    }
}

impl GameProgress<'_> {
    /// A turn was closed.
    pub(super) fn turn(&mut self, now: Running) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(u64::from(now.turn));
                bar.set_message(self.words(now));
            }
            None if self.told.elapsed() >= LINES_APART => {
                self.told = Instant::now();
                let (title, turns_max) = (&self.title, self.turns_max);
                let words = self.words(now);
                self.all.line(&format!("{title}: turn {}/{turns_max}, {words}", now.turn));
            }
            None => {}
        }
    }

    /// The game is over.
    pub(super) fn end(self, words: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let done = {
            let mut done = self.all.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *done += 1;
            *done
        };
        if let Some((_, overall)) = &self.all.bars {
            overall.set_position(done as u64);
        }
        self.all.line(&format!("[{done}/{}] {}: {words}", self.all.total, self.title));
    }

    fn words(&self, now: Running) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { f64::from(now.turn) / seconds } else { 0.0 };
        format!(
            "score {}, {} calls, {} tokens, {rate:.1} turns/s",
            now.score,
            now.calls,
            thousands(now.tokens)
        )
    }
}

/// `950`, `12.3k`, `4.56M`.
pub(super) fn thousands(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        _ => format!("{:.2}M", n as f64 / 1e6),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the templates above are valid")
        .progress_chars("━╸ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short() {
        let check = |n, want: &str| assert_eq!(thousands(n), want);
        check(999, "999");
        check(12_345, "12.3k");
        check(4_560_000, "4.56M");
    }
}
