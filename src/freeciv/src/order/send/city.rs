//! What is sent for an order of a city.

use saga_core::action::{Action, Item};
use saga_core::ids::CityId;

use crate::order::Request;
use crate::value::Value;
use crate::world::fold_items::{BUILD_BUILDING, BUILD_UNIT};

/// The packet; `None` when the action is no city's.
pub(super) fn request(city: CityId, action: &Action) -> Option<Request> {
    let city = ("city_id", Value::from(i64::from(city.0)));
    match action {
        Action::Produce { item } => {
            let (kind, value) = match item {
                Item::Unit(id) => (BUILD_UNIT, id.0),
                Item::Building(id) => (BUILD_BUILDING, id.0),
            };
            let value = i64::from(value).into();
            let fields = vec![city, ("production_kind", kind.into()), ("production_value", value)];
            Some(Request { packet: "CITY_CHANGE", fields })
        }
        Action::Buy => Some(Request { packet: "CITY_BUY", fields: vec![city] }),
        _ => None,
    }
}
