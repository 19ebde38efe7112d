//! `direct`: no planner at all. Each entity's controller chooses alone; the control that shows what
//! planning adds.

use saga_core::calls::Calls;
use saga_core::plan::Plan;
use saga_core::planner::{Planner, TurnView};
use saga_core::stop::Stop;

/// The planner that says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Direct;

impl Planner for Direct {
    fn plan(&mut self, _: &TurnView<'_>, _: &mut Calls<'_>) -> Result<Plan, Stop> {
        Ok(Plan::default())
    }
}
