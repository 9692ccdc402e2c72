//! The keys of a league beside those of participants: the tokens of its organisers, and the code of a class.
//!
//! Only digests are kept, in `keys.json`.

use std::collections::BTreeMap;

use bot::{EXPECTED_NAME, is_name};
use rules::Digest;
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use text::printable;
use thiserror::Error;

use crate::folder::{LeagueError, LeagueFolder};
use crate::participants::{self, InviteError};
use crate::token::{RegistrationCode, Token};
use crate::value_file::ValueFile;

/// The file of the keys.
const KEYS: ValueFile = ValueFile { name: "keys.json", lock: "keying", longest: 64 << 10 };

/// The name of the organiser whose token has no other name.
const ORGANISER: &str = "organiser";
/// Most organisers with names.
const MOST_ORGANISERS: usize = 50;

/// The keys, by their digests.
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

/// Reason why a key was not made or used; one line.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The code is wrong, or was revoked.
    #[error("invalid registration code: ask the organiser")]
    WrongCode,
    /// The code was used up.
    #[error("this registration code is used up: ask the organiser for a new one")]
    UsedUp,
    /// The participant cannot register.
    #[error(transparent)]
    NotInvited(#[from] InviteError),
    /// The name of an organiser is not valid.
    #[error("invalid organiser name `{0}`: {EXPECTED_NAME}")]
    BadName(String),
    /// There are too many organisers.
    #[error("limit of {MOST_ORGANISERS} named organisers reached: revoke one first")]
    TooMany,
    /// There is no key to revoke.
    #[error("the league has no {0} to revoke")]
    Missing(&'static str),
    /// The league cannot be read or changed.
    #[error(transparent)]
    League(#[from] LeagueError),
}

impl From<KeyError> for Failure {
    fn from(problem: KeyError) -> Failure {
        match problem {
            KeyError::NotInvited(problem) => problem.into(),
            KeyError::League(problem) => problem.into(),
            KeyError::WrongCode
            | KeyError::UsedUp
            | KeyError::BadName(_)
            | KeyError::TooMany
            | KeyError::Missing(_) => Failure::Usage(problem.to_string()),
        }
    }
}

impl LeagueKeys {
    /// Reads the keys of a league.
    ///
    /// # Errors
    ///
    /// [`LeagueError::Unusable`]
    pub fn read(folder: &LeagueFolder) -> Result<LeagueKeys, LeagueError> {
        KEYS.read(folder)
    }

    /// Returns the name of the organiser with this token.
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
/// [`KeyError`], with nothing changed.
pub fn new_organiser(folder: &LeagueFolder, name: Option<&str>) -> Result<Token, KeyError> {
    let token = Token::drawn()?;
    change(folder, |keys| {
        let Some(name) = name else {
            keys.organiser = Some(token.digest());
            return Ok(());
        };
        if !is_name(name) || name == ORGANISER {
            return Err(KeyError::BadName(printable(name)));
        }
        if keys.organisers.len() >= MOST_ORGANISERS && !keys.organisers.contains_key(name) {
            return Err(KeyError::TooMany);
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
/// [`KeyError::Missing`] if there is none.
pub fn revoke_organiser(folder: &LeagueFolder, name: Option<&str>) -> Result<(), KeyError> {
    change(folder, |keys| {
        let had_token = match name {
            None => keys.organiser.take(),
            Some(name) => keys.organisers.remove(name),
        };
        had_token.map(drop).ok_or(KeyError::Missing("organiser"))
    })
}

/// Makes a code by which this number of people may register, in place of an earlier one.
///
/// # Errors
///
/// [`KeyError`], with nothing changed.
pub fn new_code(folder: &LeagueFolder, uses: u64) -> Result<RegistrationCode, KeyError> {
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
/// [`KeyError::Missing`] if there is none.
pub fn revoke_code(folder: &LeagueFolder) -> Result<(), KeyError> {
    change(folder, |keys| keys.code.take().map(drop).ok_or(KeyError::Missing("code")))
}

/// Registers a participant by the code.
///
/// # Errors
///
/// [`KeyError`], with nothing changed.
pub fn register(folder: &LeagueFolder, typed: &str, name: &str) -> Result<Token, KeyError> {
    change(folder, |keys| {
        let code =
            keys.code.as_mut().filter(|code| code.code == RegistrationCode::digest_of(typed));
        let code = code.ok_or(KeyError::WrongCode)?;
        code.left = code.left.checked_sub(1).ok_or(KeyError::UsedUp)?;
        Ok(participants::register(folder, name)?)
    })
}

fn change<R>(
    folder: &LeagueFolder,
    change: impl FnOnce(&mut LeagueKeys) -> Result<R, KeyError>,
) -> Result<R, KeyError> {
    KEYS.change(folder, change)
}
