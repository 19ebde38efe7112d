//! Fills a JSON Schema: enumerated and example strings are chosen by how well their words match the
//! description beside them and the situation in the prompt.

use serde_json::{Map, Value};

use super::words;

/// What guides the choice among enumerated and example values.
#[derive(Clone, Copy)]
pub(super) enum Wish<'a> {
    /// Words that meet this situation.
    Fitting(&'a str),
    /// Nothing: drawn by the seed.
    Any,
}

/// A value that fits the schema.
pub(super) fn fill(schema: &Value, wish: Wish<'_>, seed: u64) -> Value {
    value(schema, schema, wish, "", seed)
}

fn value(schema: &Value, root: &Value, wish: Wish<'_>, about: &str, seed: u64) -> Value {
    let schema_here = resolved(schema, root);
    let own = schema.get("description").or_else(|| schema_here.get("description"));
    let about = own.and_then(Value::as_str).unwrap_or(about);
    if let Some(constant) = schema_here.get("const") {
        return constant.clone();
    }
    for list in ["enum", "examples"] {
        if let Some(items) = schema_here.get(list).and_then(Value::as_array)
            && !items.is_empty()
        {
            return items[chosen(items, wish, about, seed)].clone();
        }
    }
    match schema_here.get("type").and_then(Value::as_str) {
        Some("object") => object(schema_here, root, wish, about, seed),
        Some("array") => array(schema_here, root, wish, about, seed),
        Some("integer" | "number") => {
            schema_here.get("minimum").cloned().unwrap_or_else(|| Value::from(0))
        }
        Some("boolean") => Value::Bool(false),
        Some("null") => Value::Null,
        _ => Value::String(about.to_owned()),
    }
}

/// Every property that is named, required or not: a policy with no wishes fills the whole form.
fn object(schema: &Value, root: &Value, wish: Wish<'_>, about: &str, seed: u64) -> Value {
    let mut filled = Map::new();
    for (name, property) in
        schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        let seed = words::lot(seed, name);
        filled.insert(name.clone(), value(property, root, wish, about, seed));
    }
    Value::Object(filled)
}

fn array(schema: &Value, root: &Value, wish: Wish<'_>, about: &str, seed: u64) -> Value {
    let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).min(8);
    let Some(items) = schema.get("items") else { return Value::Array(Vec::new()) };
    let one = |i| value(items, root, wish, about, words::lot(seed.wrapping_add(i), about));
    Value::Array((0..count).map(one).collect())
}

/// Follows a reference within the same schema.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let Some(target) = schema.get("$ref").and_then(Value::as_str) else { return schema };
    target.strip_prefix('#').and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

/// The item whose words meet most of description and situation, the description counting double.
fn chosen(items: &[Value], wish: Wish<'_>, about: &str, seed: u64) -> usize {
    let texts: Vec<String> =
        items.iter().map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect();
    let Wish::Fitting(situation) = wish else { return super::best(&texts, |_| 0.0, seed) };
    let (near, far) = (words::of(about), words::of(situation));
    let score = |text: &String| {
        let own = words::of(text);
        let met = |side: &[String]| own.iter().filter(|w| side.contains(w)).count() as f64;
        2.0 * met(&near) + met(&far)
    };
    super::best(&texts, score, seed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Wish, fill};

    #[test]
    fn examples_follow_the_description_beside_them() {
        let schema = json!({
            "type": "object",
            "properties": {"production": {"type": "object", "properties": {
                "7": {"$ref": "#/$defs/city", "description": "Rome, defenders 0"},
                "9": {"$ref": "#/$defs/city", "description": "Ostia, defenders 2, room to settle"},
            }}},
            "$defs": {"city": {"type": "string", "examples": [
                "no defenders 0 here: train a military unit", "settle: found a new city"]}},
        });
        let filled = fill(&schema, Wish::Fitting(""), 1);
        assert_eq!(filled["production"]["7"], "no defenders 0 here: train a military unit");
        assert_eq!(filled["production"]["9"], "settle: found a new city");
    }
}
