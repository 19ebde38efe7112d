//! `saga doctor`: whether games can be played here, one thing after the other; whatever is wrong
//! comes with the command, or the line, that mends it.

mod experiment;
mod line;
mod machine;
mod server;
#[cfg(test)]
mod tests;

use std::io::Write;

use crate::args::DoctorArgs;
use crate::error::{CliError, Exit};
use line::Told;

pub(crate) fn doctor(args: &DoctorArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    let mut told = Told::new(out, args.json);
    let found = server::find(args.server.as_deref());
    for line in &found.lines {
        told.tell(line)?;
    }
    let cores = machine::cores();
    told.tell(&machine::user())?;
    told.tell(&machine::scratch())?;
    told.tell(&machine::ports(cores))?;
    told.tell(&machine::cores_line(cores))?;
    told.tell(&machine::backbones())?;
    for ruleset in ["classic", "civ2civ3"] {
        told.tell(&server::plays(found.binary.as_ref(), ruleset))?;
    }
    let read = args.experiment.as_deref().map(experiment::read);
    if let Some((line, _)) = &read {
        told.tell(line)?;
    }
    let experiment = read.as_ref().and_then(|(_, good)| good.as_ref());
    if let Some(experiment) = experiment {
        for game in experiment.games() {
            told.tell(&experiment.accepted(found.binary.as_ref(), game))?;
        }
    }
    told.tell(&machine::rights(&args.out))?;
    told.tell(&machine::room(&args.out, experiment.map(experiment::Experiment::bytes)))?;
    told.end()
}
