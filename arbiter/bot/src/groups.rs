//! Names that stand for several bots: their kinds, and groups of them.
//!
//! The kind of a bot is the interpreter that its command starts. It is not what a bot says of itself: a
//! stranger could then have the time of a slow language for a fast one.

use std::collections::BTreeMap;

use text::printable;

use crate::launched;
use crate::name::{is_name, spelt_as_names};

/// Groups of bots: a name for each, and its members, which are names of bots or kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups(BTreeMap<String, Vec<Named>>);

/// A name for which something holds: of a bot, of a kind of bots, or of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    name: String,
    /// The kind of this name. A bot that has it, too, is not meant: bots of strangers choose their names.
    kind: Option<&'static str>,
}

/// How closely a name fits a bot, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// It is for every bot.
    All,
    /// It is the kind of the bot.
    Kind,
    /// It is a group of the bot.
    Group,
    /// It is the bot's own name.
    Name,
}

impl Named {
    /// This name.
    pub fn new(name: &str) -> Named {
        Named { name: spelt_as_names(name), kind: launched::kind_named(name) }
    }

    /// The name as it is spelt.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn is(&self, name: &str, kind: Option<&str>) -> bool {
        match self.kind {
            Some(_) => self.kind == kind,
            None => self.name == name,
        }
    }
}

impl Groups {
    /// Groups by their names, each with the names of its members.
    ///
    /// # Errors
    ///
    /// Says which name cannot be one of a group.
    pub fn new(groups: BTreeMap<String, Vec<String>>) -> Result<Groups, String> {
        let mut read = BTreeMap::new();
        for (name, members) in groups {
            let group = Named::new(&name);
            if group.kind.is_some() {
                return Err(format!("group name `{name}` is a runtime: choose another name"));
            }
            if !is_name(group.name()) {
                let name = printable(&name);
                return Err(format!("invalid group name `{name}`: the rules for bot names apply"));
            }
            read.insert(group.name, members.iter().map(|member| Named::new(member)).collect());
        }
        Ok(Groups(read))
    }

    /// The groups by their names, each with the names of its members.
    pub fn named(&self) -> BTreeMap<String, Vec<String>> {
        let names = |members: &Vec<Named>| members.iter().map(|it| it.name.clone()).collect();
        self.0.iter().map(|(name, members)| (name.clone(), names(members))).collect()
    }

    /// How closely a name fits the bot of this name and kind, if it does.
    pub(crate) fn rank(&self, to: &Named, name: &str, kind: Option<&str>) -> Option<Rank> {
        match self.0.get(&to.name) {
            Some(members) => members.iter().any(|it| it.is(name, kind)).then_some(Rank::Group),
            None if !to.is(name, kind) => None,
            None if to.kind.is_some() => Some(Rank::Kind),
            None => Some(Rank::Name),
        }
    }

    /// Says in words whether a name means a kind or a group; none if it means neither.
    pub(crate) fn other_than_bot(&self, to: &Named) -> Option<&'static str> {
        match (to.kind, self.0.contains_key(&to.name)) {
            (Some(_), _) => Some("a runtime"),
            (None, true) => Some("a group"),
            (None, false) => None,
        }
    }
}
