//! The options that keep bots apart, for every command that starts bots.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::bot::grants::{AskedIsolation, Grant, Grants};
use crate::failure::Failure;
use crate::process::isolation::{Isolation, NotIsolation};

/// How far bots are kept apart, and what some of them may do all the same.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation of bots")]
pub(super) struct IsolationArgs {
    /// Keep bots apart from the rest of the machine: as far as it allows, by all layers or not at all
    /// [default: auto]
    #[arg(long, value_name = "HOW", value_parser = names())]
    isolation: Option<String>,
    #[command(flatten)]
    allow: AllowArgs,
}

/// What some bots may do all the same.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation of bots")]
pub(super) struct AllowArgs {
    /// Allow a bot to read a folder outside of its own, or to use the network: NAME:read=FOLDER or
    /// NAME:network; repeat for more
    #[arg(long, value_name = "NAME:RIGHT")]
    allow: Vec<String>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Isolation::ALL.map(Isolation::name))
}

impl IsolationArgs {
    /// What was asked for.
    pub(super) fn asked(self) -> Result<AskedIsolation, Failure> {
        let isolation = self.isolation.as_deref().map(str::parse).transpose();
        let isolation =
            isolation.map_err(|error: NotIsolation| Failure::Usage(error.to_string()))?;
        Ok(AskedIsolation {
            isolation: isolation.unwrap_or_default(),
            grants: self.allow.granted()?,
        })
    }

    /// Whether nothing was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.isolation.is_none() && self.allow.allow.is_empty()
    }
}

impl AllowArgs {
    /// What was granted.
    pub(super) fn granted(self) -> Result<Grants, Failure> {
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let grants = self.allow.iter().map(|text| {
            text.parse::<Grant>().map_err(|error| Failure::Usage(format!("--allow: {error}")))
        });
        grants.collect()
    }
}
