//! The form every planner fills: the JSON Schema of a plan for this very state, the reader that
//! turns a reply into a [`Plan`], and the bounded repair of replies that are none.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::action::{Action, Item};
use crate::backbone::{AnswerShape, Message};
use crate::calls::{Calls, Question};
use crate::ids::{CityId, UnitId};
use crate::observation::{City, Observation, Unit};
use crate::plan::{Directive, Dropped, Plan};
use crate::planner::TurnView;
use crate::prompts::Prompts;
use crate::rules::{Rules, UnitType};
use crate::stop::Stop;
use crate::text;

/// Repairs of a malformed plan before last turn's directives stay (not public, chosen).
pub const REPAIRS_MAX: u32 = 2;

const CITY_EXAMPLES: &[&str] = &[
    "defenders 0 or enemy near: train a military unit to defend",
    "safe, few cities: train a settler unit that founds cities",
    "land unimproved: train a worker unit that improves terrain",
    "safe and guarded by 1 or 2 defenders: build an improvement",
    "rich in shields: work on a great wonder",
];
const CIVILIAN_EXAMPLES: &[&str] = &[
    "Settlers: move away from own cities and found a city on good land",
    "Workers: improve terrain automatically",
    "Explorer: explore automatically and look for huts",
    "carry goods to a marketplace or help build a wonder",
];
const MILITARY_EXAMPLES: &[&str] = &[
    "under attack: fortify here and defend the city",
    "attack the enemy: conquer undefended cities, attack weak defenders",
    "peace and safe: explore automatically, then fortify in a city with few defenders",
];
const GOVERNMENT_EXAMPLES: &[&str] = &[
    "disorder: raise luxury until the cities are calm",
    "low gold, negative income: raise tax",
    "safe and solvent: raise science; take a better government by revolution",
];
const TECHNOLOGY_EXAMPLES: &[&str] = &[
    "under attack: research what opens better defenders",
    "attacking: research what opens stronger attack units",
    "peace, safe: research what opens buildings, growth and trade",
];
const DIPLOMACY_EXAMPLES: &[&str] = &[
    "war with somebody stronger: propose a cease-fire, then peace",
    "peace and safe: exchange embassies and keep the peace",
];

#[derive(Serialize)]
struct Again<'a> {
    fault: &'a str,
}

/// Asks for a plan. `None` when no reply, repairs included, was one: the caller keeps its last
/// plan. What was wrong is written down as a note of kind `plan_rejected`.
///
/// # Errors
/// [`Stop`] as it came from `calls`.
pub fn ask_plan(
    role: &str,
    mut messages: Vec<Message>,
    view: &TurnView<'_>,
    calls: &mut Calls<'_>,
    prompts: &Prompts,
) -> Result<Option<Plan>, Stop> {
    let schema = schema(view.observation, view.rules);
    let mut faults = Vec::new();
    for _ in 0..=REPAIRS_MAX {
        let question = Question {
            role: role.to_owned(),
            entity: String::new(),
            messages: messages.clone(),
            answer: AnswerShape::Json { schema: schema.clone() },
        };
        let fault = match calls.ask(question)? {
            Ok(reply) => match read(&reply.text, view.observation, view.rules) {
                Ok(plan) => return Ok(Some(plan)),
                Err(fault) => {
                    messages.push(Message::assistant(reply.text));
                    fault
                }
            },
            Err(fault) => format!("{:?}: {}", fault.kind, fault.detail),
        };
        messages.push(Message::user(prompts.render("plan/again", Again { fault: &fault })?));
        faults.push(fault);
    }
    calls.note("plan_rejected", json!({ "faults": faults }))?;
    Ok(None)
}

/// The JSON Schema of a plan for this state: one key for each city and unit there is.
pub fn schema(o: &Observation, rules: &Rules) -> Value {
    let keyed = |kind: &str, entries: Map<String, Value>| {
        json!({"type": "object", "additionalProperties": false, "properties": entries,
               "description": kind})
    };
    let city = |c: &City| {
        let words = format!(
            "{}: size {}, defenders {}, building {}",
            c.name,
            c.size,
            text::defenders(c, o, rules),
            text::item(rules, c.production)
        );
        (c.id.to_string(), json!({"$ref": "#/$defs/city", "description": words}))
    };
    let unit = |u: &Unit, field: &str| {
        let words = format!("{} at {}", text::unit_name(rules, u.kind), u.at);
        (u.id.to_string(), json!({"$ref": format!("#/$defs/{field}"), "description": words}))
    };
    let is_military = |u: &&Unit| rules.unit_type(u.kind).is_some_and(UnitType::is_military);
    let (military, civilian): (Vec<&Unit>, Vec<&Unit>) = o.units.iter().partition(is_military);
    let sentence = |examples: &[&str]| json!({"type": "string", "examples": examples});
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "production": keyed("what each city should build", o.cities.iter().map(city).collect()),
            "garrison": {"type": "object", "additionalProperties": {"type": "string"},
                "description": "unit number to the city it shall hold"},
            "civilian": keyed("what each civilian unit shall do",
                civilian.into_iter().map(|u| unit(u, "civilian")).collect()),
            "military": keyed("what each military unit shall do",
                military.into_iter().map(|u| unit(u, "military")).collect()),
            "government": sentence(GOVERNMENT_EXAMPLES),
            "technology": sentence(TECHNOLOGY_EXAMPLES),
            "diplomacy": sentence(DIPLOMACY_EXAMPLES),
        },
        "$defs": {
            "city": sentence(CITY_EXAMPLES),
            "civilian": sentence(CIVILIAN_EXAMPLES),
            "military": sentence(MILITARY_EXAMPLES),
        },
    })
}

/// Reads a plan out of a reply; what does not fit the state is dropped and counted.
///
/// # Errors
/// Why the reply is no plan, in words.
pub fn read(reply: &str, o: &Observation, rules: &Rules) -> Result<Plan, String> {
    let form = last_object(reply).ok_or("it holds no JSON object")?;
    let known =
        ["production", "garrison", "civilian", "military", "government", "technology", "diplomacy"];
    if let Some(stranger) = form.keys().find(|k| !known.contains(&k.as_str())) {
        return Err(format!("it has the unknown key {stranger:?}; known are {}", known.join(", ")));
    }
    let mut plan = Plan::default();
    let mut dropped = Dropped::default();
    for (number, directive) in entries(&form, "production")? {
        match city_of(number, o) {
            None => dropped.unknown_ids += 1,
            Some(c) if !buildable(&directive.text, c, rules) => dropped.unbuildable += 1,
            Some(c) => {
                let twice = plan.production.insert(c.id, directive).is_some();
                dropped.misplaced += u32::from(twice);
            }
        }
    }
    for field in ["garrison", "civilian", "military"] {
        for (number, directive) in entries(&form, field)? {
            match unit_of(number, o) {
                None => dropped.unknown_ids += 1,
                Some(u) => file_unit(field, u, directive, rules, &mut plan, &mut dropped),
            }
        }
    }
    plan.government = sentence(&form, "government")?;
    plan.technology = sentence(&form, "technology")?;
    plan.diplomacy = sentence(&form, "diplomacy")?;
    plan.dropped = dropped;
    Ok(plan)
}

fn file_unit(
    field: &str,
    unit: &Unit,
    directive: Directive,
    rules: &Rules,
    plan: &mut Plan,
    dropped: &mut Dropped,
) {
    let military = rules.unit_type(unit.kind).is_some_and(UnitType::is_military);
    let fits = match field {
        "civilian" => !military,
        "military" => military && !plan.garrison.contains_key(&unit.id),
        _ => military,
    };
    if !fits {
        dropped.misplaced += 1;
        return;
    }
    let map = match field {
        "civilian" => &mut plan.civilian,
        "military" => &mut plan.military,
        _ => &mut plan.garrison,
    };
    let twice = map.insert(unit.id, directive).is_some();
    dropped.misplaced += u32::from(twice);
}

/// A directive that is the plain name of an item must be one the city can build.
fn buildable(directive: &str, city: &City, rules: &Rules) -> bool {
    let name = directive.trim().trim_end_matches('.');
    let name = name.strip_prefix("build ").unwrap_or(name);
    let named = |item: &Item| text::item(rules, *item).eq_ignore_ascii_case(name);
    let all =
        (0..rules.unit_types.len()).map(|i| Item::Unit(crate::ids::UnitTypeId(i as u16))).chain(
            (0..rules.buildings.len()).map(|i| Item::Building(crate::ids::BuildingId(i as u16))),
        );
    let Some(item) = all.into_iter().find(named) else { return true };
    item == city.production || city.actions.contains(&Action::Produce { item })
}

fn city_of<'a>(number: &str, o: &'a Observation) -> Option<&'a City> {
    let id = CityId(number.trim_start_matches("city:").trim().parse().ok()?);
    o.cities.iter().find(|c| c.id == id)
}

fn unit_of<'a>(number: &str, o: &'a Observation) -> Option<&'a Unit> {
    let id = UnitId(number.trim_start_matches("unit:").trim().parse().ok()?);
    o.units.iter().find(|u| u.id == id)
}

/// The entries of one keyed field; words may stand alone or in an object, and none say nothing.
fn entries<'a>(
    form: &'a Map<String, Value>,
    field: &str,
) -> Result<Vec<(&'a str, Directive)>, String> {
    match form.get(field) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(map)) => map
            .iter()
            .filter(|(_, v)| words(v).is_none_or(|text| !text.is_empty()))
            .map(|(k, v)| match words(v) {
                Some(text) => Ok((k.as_str(), Directive::new(text))),
                None => Err(format!("{field}.{k} is not a sentence")),
            })
            .collect(),
        Some(_) => Err(format!("{field} is not an object of number to sentence")),
    }
}

fn sentence(form: &Map<String, Value>, field: &str) -> Result<Option<Directive>, String> {
    match form.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(v) => match words(v) {
            Some(text) if text.is_empty() => Ok(None),
            Some(text) => Ok(Some(Directive::new(text))),
            None => Err(format!("{field} is not a sentence")),
        },
    }
}

/// A sentence on one line: a controller's prompt is read line by line.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(s) => s,
        Value::Object(o) => {
            ["directive", "build", "text"].iter().find_map(|k| o.get(*k)).and_then(Value::as_str)?
        }
        _ => return None,
    };
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The last balanced JSON object of a text, fenced or not.
pub fn last_object(text: &str) -> Option<Map<String, Value>> {
    if let Ok(Value::Object(whole)) = serde_json::from_str(text.trim()) {
        return Some(whole);
    }
    let starts: Vec<usize> =
        text.match_indices('{').map(|(i, _)| i).take(OBJECT_STARTS_MAX).collect();
    let mut found = None;
    let mut covered = 0;
    for start in starts {
        if start < covered {
            continue;
        }
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        if let Some(Ok(Value::Object(object))) = stream.next() {
            covered = start + stream.byte_offset();
            found = Some(object);
        }
    }
    found
}

/// A babbling model could open a million braces; each one is a parse.
const OBJECT_STARTS_MAX: usize = 256;

#[cfg(test)]
mod tests {
    use super::last_object;

    #[test]
    fn the_last_whole_object_counts() {
        let check = |text: &str, key: Option<&str>| {
            let keys = last_object(text).map(|o| o.keys().cloned().collect::<Vec<_>>().join(","));
            assert_eq!(keys.as_deref(), key, "{text:?}");
        };
        check("{\"a\": 1}", Some("a"));
        check("thinking {\"a\": 1} then ```json\n{\"b\": {\"c\": 2}}\n```", Some("b"));
        check("cut {\"a\": 1", None);
        check("no object", None);
        check("{ {\"a\": {\"b\": 1}} trailing }", Some("a"));
    }
}
