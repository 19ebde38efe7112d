//! The settings a game is started with, and the proof that the server took them: it only prints a
//! line when it refuses one, and then plays on with another value.

use std::collections::BTreeMap;

use saga_core::spec::GameSpec;

use crate::LiveError;
use crate::error::Difference;

/// Every setting to be made, in the order of the description, then what the description says
/// outside its list.
///
/// # Errors
/// [`LiveError::Setting`] when the description contradicts itself.
pub(super) fn wanted(game: &GameSpec) -> Result<Vec<(String, String)>, LiveError> {
    let mut settings = game.settings.clone();
    for (name, value) in [
        ("aifill", game.opponents.saturating_add(1)),
        ("endturn", game.turns_max),
        ("mapseed", game.map_seed),
        ("gameseed", game.game_seed),
    ] {
        let value = value.to_string();
        match settings.iter().find(|(listed, _)| listed == name) {
            None => settings.push((name.to_owned(), value)),
            Some((_, listed)) if same(listed, &value) => {}
            Some((_, listed)) => {
                let why = format!("the game is described with {value:?} elsewhere");
                return Err(LiveError::Setting {
                    name: name.to_owned(),
                    value: listed.clone(),
                    why,
                });
            }
        }
    }
    Ok(settings)
}

/// Those of `wanted` that the server reports otherwise.
pub(super) fn differences(
    wanted: &[(String, String)],
    reported: &BTreeMap<String, String>,
) -> Vec<Difference> {
    let differs = |(name, wanted): &(String, String)| {
        let found = reported.get(name);
        let difference =
            || Difference { name: name.clone(), wanted: wanted.clone(), found: found.cloned() };
        (!found.is_some_and(|found| same(wanted, found))).then(difference)
    };
    wanted.iter().filter_map(differs).collect()
}

/// Whether two texts say the same value: literally, as a number, or as a set of names. Case counts,
/// since in some settings each letter means something.
fn same(wanted: &str, found: &str) -> bool {
    let number = |text: &str| text.parse::<i64>().ok();
    let names = |text: &str| {
        let mut names: Vec<String> = text.split('|').map(|name| name.trim().to_owned()).collect();
        names.sort();
        names
    };
    wanted == found
        || number(wanted).is_some_and(|wanted| number(found) == Some(wanted))
        || names(wanted) == names(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(settings: &[(&str, &str)]) -> GameSpec {
        GameSpec {
            ruleset: "classic".to_owned(),
            opponents: 2,
            ai_skill: "easy".to_owned(),
            map_seed: 2025,
            game_seed: 1001,
            turns_max: 40,
            settings: settings.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
        }
    }

    #[test]
    fn what_the_description_says_elsewhere_is_set_once_and_never_otherwise() {
        let all = wanted(&game(&[("topology", ""), ("endturn", "040")])).expect("consistent");
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["topology", "endturn", "aifill", "mapseed", "gameseed"]);
        assert_eq!(all[2].1, "3");
        let error = wanted(&game(&[("gameseed", "7")])).expect_err("contradictory").to_string();
        assert!(error.contains("gameseed = \"7\"") && error.contains("\"1001\""), "{error}");
    }

    #[test]
    fn values_are_compared_by_what_they_say() {
        let check =
            |wanted, found, equal| assert_eq!(same(wanted, found), equal, "{wanted} {found}");
        check("", "", true);
        check("023", "23", true);
        check("23", "24", false);
        check("SPACERACE|ALLIED", "ALLIED|SPACERACE", true);
        check("SPACERACE", "SPACERACE|ALLIED", false);
        check("", "WRAPX", false);
        check("nasr", "NASR", false);
        check("enabled", "disabled", false);
    }

    #[test]
    fn differences_name_all_and_the_unknown() {
        let reported = BTreeMap::from([("xsize".to_owned(), "64".to_owned())]);
        let wanted = [("xsize", "5"), ("nosuch", "1")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        let text = LiveError::SettingsDiffer {
            differences: differences(&wanted, &reported),
            said: vec!["Value out of range: 5.".to_owned()],
            known: vec!["xsize".to_owned()],
        }
        .to_string();
        assert!(text.contains("xsize is \"64\", wanted \"5\""), "{text}");
        assert!(text.contains("nosuch is unknown to it"), "{text}");
        assert!(text.contains("(it said: Value out of range: 5.)"), "{text}");
    }
}
