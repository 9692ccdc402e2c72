//! The keys of a league beside those of participants: the token of its organiser, and the code of a class.
//!
//! Only digests are kept, in `keys.json`.

use rules::Digest;
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use thiserror::Error;

use crate::folder::{LeagueError, LeagueFolder};
use crate::participants::{self, InviteError};
use crate::token::{RegistrationCode, Token};
use crate::value_file::ValueFile;

/// The file of the keys.
const KEYS: ValueFile = ValueFile { name: "keys.json", lock: "keying", longest: 64 << 10 };

/// The keys, by their digests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueKeys {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    organiser: Option<Digest>,
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
            KeyError::WrongCode | KeyError::UsedUp | KeyError::Missing(_) => {
                Failure::Usage(problem.to_string())
            }
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

    /// Returns true if this is the token of the organiser.
    pub fn is_organiser(&self, token: &str) -> bool {
        self.organiser == Some(Digest::hash(token.as_bytes()))
    }

    /// Returns the number of people who may still register with the code, if there is one.
    pub fn registrations_left(&self) -> Option<u64> {
        self.code.map(|code| code.left)
    }
}

/// Gives the organiser a new token, in place of an earlier one.
///
/// # Errors
///
/// [`KeyError`], with nothing changed.
pub fn new_organiser(folder: &LeagueFolder) -> Result<Token, KeyError> {
    let token = Token::drawn()?;
    change(folder, |keys| {
        keys.organiser = Some(token.digest());
        Ok(())
    })?;
    Ok(token)
}

/// Revokes the token of the organiser.
///
/// # Errors
///
/// [`KeyError::Missing`] if there is none.
pub fn revoke_organiser(folder: &LeagueFolder) -> Result<(), KeyError> {
    change(folder, |keys| keys.organiser.take().map(drop).ok_or(KeyError::Missing("organiser")))
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
