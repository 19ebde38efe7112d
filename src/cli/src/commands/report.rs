//! `saga report`: all tables from a folder of traces.

use std::io::Write;
use std::path::{Path, PathBuf};

use saga_report::{Difference, Report, build};
use serde_json::{Value, json};

use crate::args::ReportArgs;
use crate::error::{CliError, Exit};
use crate::tell::tell;

/// Differing files named one by one.
const NAMED_MAX: usize = 10;

pub(crate) fn report(args: &ReportArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    let report = build(&args.runs)?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.runs));
    let exit = if args.check {
        check(&report, &folder, args, out)?
    } else {
        write(&report, &folder, args, out)?
    };
    let failed = report.failed().count();
    if !args.strict {
        return Ok(exit);
    }
    let faults = report.faults();
    for fault in &faults {
        tell(format_args!("saga: {fault}"));
    }
    if failed > 0 {
        tell(format_args!("saga: {failed} of {} games have no result", report.episodes().len()));
    }
    let wrong = report.wrongly_measured();
    for (trace, difference) in &wrong {
        tell(format_args!("saga: {trace}: {difference}"));
    }
    let sound = failed == 0 && faults.is_empty() && wrong.is_empty();
    Ok(if sound { exit } else { exit.max(Exit::Failed) })
}

/// Where a report goes when nothing is said: beside the traces it was made from.
pub(crate) fn default_folder(runs: &Path) -> PathBuf {
    runs.join("report")
}

fn write(
    report: &Report,
    folder: &Path,
    args: &ReportArgs,
    out: &mut dyn Write,
) -> Result<Exit, CliError> {
    let files = report.write_to(folder)?;
    if args.json {
        writeln!(out, "{}", with_files(report, folder, &files)?)?;
        return Ok(Exit::Done);
    }
    writeln!(out, "{}", report.main_table_text()?.trim_end())?;
    writeln!(out)?;
    for file in files {
        writeln!(out, "{}", folder.join(file).display())?;
    }
    Ok(Exit::Done)
}

fn with_files(report: &Report, folder: &Path, files: &[PathBuf]) -> Result<Value, CliError> {
    let mut value = report.to_json()?;
    let files: Vec<String> = files.iter().map(|f| folder.join(f).display().to_string()).collect();
    value["files"] = json!(files);
    Ok(value)
}

fn check(
    report: &Report,
    folder: &Path,
    args: &ReportArgs,
    out: &mut dyn Write,
) -> Result<Exit, CliError> {
    let differences = report.check_against(folder)?;
    if !differences.is_empty()
        && let Some((on_disk, today)) = report.renamed(folder)
    {
        tell(format_args!(
            "saga: the report on disk is of matrix {on_disk}, these traces are of {today}: a \
             matrix has the name of its folder; was that renamed?"
        ));
    }
    if args.json {
        let words: Vec<String> = differences.iter().map(ToString::to_string).collect();
        writeln!(out, "{}", json!({ "same": differences.is_empty(), "differences": words }))?;
    } else if differences.is_empty() {
        writeln!(out, "{} is what these traces give", folder.display())?;
    } else {
        for difference in differences.iter().take(NAMED_MAX) {
            writeln!(out, "{difference}")?;
        }
        if differences.len() > NAMED_MAX {
            writeln!(out, "… and {} more", differences.len() - NAMED_MAX)?;
        }
        let extra = differences.iter().any(|d| matches!(d, Difference::Extra { .. }));
        tell(format_args!(
            "saga: {} is not what these traces give, in {}; {}write the report anew with `saga \
             report {} --out {}`",
            folder.display(),
            count_files(differences.len()),
            if extra { "remove what is no part of it and " } else { "" },
            args.runs.display(),
            folder.display()
        ));
    }
    Ok(if differences.is_empty() { Exit::Done } else { Exit::Failed })
}

fn count_files(n: usize) -> String {
    if n == 1 { "1 file".to_owned() } else { format!("{n} files") }
}
