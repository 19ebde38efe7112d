//! Traces in, frames and tables out. A report is a pure function of the traces and ledgers it
//! found: it plays no turn, reads no clock and gives the same bytes every time.

pub mod columns;
pub mod deeds;
mod error;
mod files;
pub mod frames;
mod ledgers;
mod load;
pub mod log_check;
pub mod metrics;
pub mod orders;
mod provenance;
mod report;
pub mod rows;
mod scan;
pub mod standing;
pub mod summary;
pub mod tables;
mod text;

#[cfg(test)]
mod disk_tests;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use error::ReportError;
pub use files::Difference;
pub use ledgers::{Declared, LedgerFacts, Told};
pub use load::{Content, GameFacts};
pub use report::{NotCounted, Report, build};
pub use scan::{Found, TRACE_SUFFIX};
