//! Custom games whose rules are not here.

use crate::dialect::Dialect;
use crate::dyn_rules::{About, Rules};
use crate::position::{self, BadSample, Position};
use crate::renewal::Renewal;
use crate::rules_id::{RulesId, RulesLine};
use crate::score::Score;
use crate::table::Table;
use crate::text::NotText;

/// A custom game whose rules are not here: enough to read a log, but not to play or to derive it.
#[derive(Debug)]
pub(crate) struct AbsentGame {
    name: String,
    line: RulesLine,
}

impl AbsentGame {
    pub(crate) fn new(name: &str, line: RulesLine) -> AbsentGame {
        AbsentGame { name: name.to_owned(), line }
    }
}

impl Rules for AbsentGame {
    fn about(&self) -> About<'_> {
        let name = &self.name;
        About { name, title: name, about: "", options: "", rules: "", counts: &[] }
    }

    fn rules_id(&self) -> Option<RulesId> {
        Some(self.line.id)
    }

    fn is_absent(&self) -> bool {
        true
    }

    fn dialects(&self) -> &[Dialect] {
        &[Dialect::Native]
    }

    fn most_points(&self) -> Option<Score> {
        None
    }

    fn check_options(&self, options: &str) -> Result<String, NotText> {
        Ok(options.to_owned())
    }

    fn seats(&self, _options: &str) -> Result<usize, NotText> {
        Ok(self.line.seats)
    }

    fn spelt(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn open(&self, _options: &str, _: Renewal) -> Result<Box<dyn Table>, NotText> {
        let RulesId { carrier, digest, .. } = self.line.id;
        let name = &self.name;
        let expected =
            format!("the rules of {name} (--game GAME), a {carrier} with digest {digest}");
        Err(NotText::new(expected, ""))
    }

    fn position(&self, request: &str) -> Result<Position, BadSample> {
        position::listed_position(request)
    }
}
