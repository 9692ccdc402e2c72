//! The rules of a game behind text.

use crate::dialect::Dialect;
use crate::position::{BadSample, Position};
use crate::renewal::Renewal;
use crate::rules_id::RulesId;
use crate::score::Score;
use crate::table::Table;
use crate::text::NotText;

/// The rules of a game behind text.
pub(crate) trait Rules: Send + Sync {
    fn about(&self) -> About<'_>;
    /// The identity of rules that are not compiled in.
    fn rules_id(&self) -> Option<RulesId> {
        None
    }
    /// Returns true if these rules are only known by name.
    fn is_absent(&self) -> bool {
        false
    }
    fn dialects(&self) -> &[Dialect];
    /// The dialects of a game with these options, which are not all where the game says so.
    fn dialects_with(&self, _options: &str) -> &[Dialect] {
        self.dialects()
    }
    fn most_points(&self) -> Option<Score>;
    fn check_options(&self, options: &str) -> Result<String, NotText>;
    fn seats(&self, options: &str) -> Result<usize, NotText>;
    fn spelt(&self, text: &str) -> Option<String>;
    /// A new game, or what is wrong with the options. Rules that are compiled in need no renewal.
    fn open(&self, options: &str, renewal: Renewal) -> Result<Box<dyn Table>, NotText>;
    /// A position in which a seat would be asked this request.
    fn position(&self, request: &str) -> Result<Position, BadSample>;
}

/// A description of a game for a list.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Its name in commands.
    pub name: &'a str,
    /// Its name in headings.
    pub title: &'a str,
    /// Description in one line.
    pub about: &'a str,
    /// Its options with their values, one line.
    pub options: &'a str,
    /// The rules in short for a person who plays, in whole lines.
    pub rules: &'a str,
    /// Things that statistics count for each seat beside points.
    pub counts: &'a [&'a str],
}
