//! The keys of a league beside those of participants: the tokens of its organisers, and the code of a class.
//!
//! Only digests are kept, in `keys.json`.

use std::collections::BTreeMap;

use bot::{EXPECTED_NAME, is_name};
use rules::Digest;
use serde::{Deserialize, Serialize};
use text::printable;

use crate::folder::{LeagueError, LeagueFolder};
use crate::json_files::JsonFile;
use crate::participants;
use crate::refusal::{Refusal, RefusalKind};
use crate::token::{RegistrationCode, Token};

const KEYS: JsonFile = JsonFile { name: "keys.json", lock: "keying", longest: 64 << 10 };

/// The name of the organiser whose token has no other name.
const ORGANISER: &str = "organiser";
/// Most organisers with names.
const MOST_ORGANISERS: usize = 50;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueKeys {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    organiser: Option<Digest>,
    /// Digests of the tokens of further organisers, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    organisers: BTreeMap<String, Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<StoredCode>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCode {
    code: Digest,
    /// Number of people who may still register.
    left: u64,
}

impl LeagueKeys {
    /// Reads the keys of a league.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read.
    pub fn read(folder: &LeagueFolder) -> Result<LeagueKeys, LeagueError> {
        KEYS.read(folder)
    }

    pub fn organiser(&self, token: &str) -> Option<&str> {
        let digest = Digest::hash(token.as_bytes());
        if self.organiser == Some(digest) {
            return Some(ORGANISER);
        }
        let mut named = self.organisers.iter();
        named.find(|(_, own)| **own == digest).map(|(name, _)| name.as_str())
    }

    /// Returns the number of people who may still register with the code, if there is one.
    pub fn registrations_left(&self) -> Option<u64> {
        self.code.map(|code| code.left)
    }
}

/// Gives the organiser, or the one of this name, a new token in place of an earlier one.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn new_organiser(folder: &LeagueFolder, name: Option<&str>) -> Result<Token, Refusal> {
    let token = Token::drawn()?;
    change(folder, |keys| {
        let Some(name) = name else {
            keys.organiser = Some(token.digest());
            return Ok(());
        };
        if !is_name(name) || name == ORGANISER {
            let problem = format!("invalid organiser name `{}`: {EXPECTED_NAME}", printable(name));
            return Err(Refusal::new(RefusalKind::Invalid, problem));
        }
        if keys.organisers.len() >= MOST_ORGANISERS && !keys.organisers.contains_key(name) {
            let problem =
                format!("limit of {MOST_ORGANISERS} named organisers reached: revoke one first");
            return Err(Refusal::new(RefusalKind::Forbidden, problem));
        }
        keys.organisers.insert(name.to_owned(), token.digest());
        Ok(())
    })?;
    Ok(token)
}

/// Revokes the token of the organiser, or of the one of this name.
///
/// # Errors
///
/// [`Refusal`] if there is none.
pub fn revoke_organiser(folder: &LeagueFolder, name: Option<&str>) -> Result<(), Refusal> {
    change(folder, |keys| {
        let had_token = match name {
            None => keys.organiser.take(),
            Some(name) => keys.organisers.remove(name),
        };
        had_token.map(drop).ok_or_else(|| missing("organiser"))
    })
}

/// Makes a code by which this number of people may register, in place of an earlier one.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn new_code(folder: &LeagueFolder, uses: u64) -> Result<RegistrationCode, Refusal> {
    let code = RegistrationCode::drawn()?;
    change(folder, |keys| {
        keys.code = Some(StoredCode { code: code.digest(), left: uses });
        Ok(())
    })?;
    Ok(code)
}

/// Revokes the code; those who have registered stay.
///
/// # Errors
///
/// [`Refusal`] if there is none.
pub fn revoke_code(folder: &LeagueFolder) -> Result<(), Refusal> {
    change(folder, |keys| keys.code.take().map(drop).ok_or_else(|| missing("code")))
}

/// Registers a participant by the code.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn register(folder: &LeagueFolder, typed: &str, name: &str) -> Result<Token, Refusal> {
    change(folder, |keys| {
        let code =
            keys.code.as_mut().filter(|code| code.code == RegistrationCode::digest_of(typed));
        let wrong = "invalid registration code: ask the organiser";
        let code = code.ok_or_else(|| Refusal::new(RefusalKind::Unauthorised, wrong))?;
        let used_up = "this registration code is used up: ask the organiser for a new one";
        let left = code.left.checked_sub(1);
        code.left = left.ok_or_else(|| Refusal::new(RefusalKind::Forbidden, used_up))?;
        participants::register(folder, name)
    })
}

fn missing(key: &str) -> Refusal {
    Refusal::new(RefusalKind::Missing, format!("the league has no {key} to revoke"))
}

fn change<R>(
    folder: &LeagueFolder,
    change: impl FnOnce(&mut LeagueKeys) -> Result<R, Refusal>,
) -> Result<R, Refusal> {
    KEYS.change(folder, change)
}
