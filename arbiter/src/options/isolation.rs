//! The options that sandbox bots, for every command that starts bots.

use clap::Args;
use clap::builder::PossibleValuesParser;

use bot::grants::{AskedIsolation, Grant, Grants};
use sandbox::isolation::{Isolation, NotIsolation};
use text::failure::Failure;

/// The level of isolation, and exceptions for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// Sandbox policy: best effort (auto), all layers required (strict), none (off) [default: auto]
    #[arg(long, value_name = "HOW", value_parser = names())]
    isolation: Option<String>,
    #[command(flatten)]
    allow: AllowArgs,
}

/// Exceptions from isolation for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct AllowArgs {
    /// Grant a permission: NAME:read=FOLDER, NAME:device=DEVICE or NAME:network; repeatable
    #[arg(long, value_name = "NAME:PERMISSION")]
    allow: Vec<String>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Isolation::ALL.map(Isolation::name))
}

impl IsolationArgs {
    pub(crate) fn asked(self) -> Result<AskedIsolation, Failure> {
        let isolation = self.isolation.as_deref().map(str::parse).transpose();
        let isolation =
            isolation.map_err(|error: NotIsolation| Failure::Usage(error.to_string()))?;
        Ok(AskedIsolation {
            isolation: isolation.unwrap_or_default(),
            grants: self.allow.granted()?,
        })
    }

    /// True if no option is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.isolation.is_none() && self.allow.allow.is_empty()
    }
}

impl AllowArgs {
    /// The rights granted.
    pub(crate) fn granted(self) -> Result<Grants, Failure> {
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let grants = self.allow.iter().map(|text| {
            text.parse::<Grant>().map_err(|error| Failure::Usage(format!("--allow: {error}")))
        });
        grants.collect()
    }
}
