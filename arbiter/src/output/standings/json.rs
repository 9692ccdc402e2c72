//! Standings for programs.

use std::io;

use crate::standings::Standings;

/// One line, with everything that [`Standings`] hold.
///
/// # Errors
///
/// Never: all of it has a form in JSON.
pub fn json(standings: &Standings) -> io::Result<String> {
    Ok(serde_json::to_string(standings)?)
}
