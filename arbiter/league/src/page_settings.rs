//! What the served pages of a league offer to everybody: the table `pages` of `league.toml`.

use serde::Deserialize;

/// What the organiser lets the served pages offer. A missing key offers nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PageSettings {
    /// True if anybody can download the published log.
    pub log_download: bool,
}
