//! `arbiter league invite`.

use std::io::Write;
use std::path::PathBuf;

use conditions::bot::spelt_as_names;
use conditions::failure::Failure;
use contest::league::folder::LeagueFolder;
use contest::league::participants::{self, Invitation, Participants};
use text::terminal::say;

/// Who is invited to hand in bots.
#[derive(Debug)]
pub struct InviteRequest {
    /// The folder of the league.
    pub folder: PathBuf,
    /// The name of the participant, which is that of the bots.
    pub name: String,
    /// What becomes of the participant.
    pub becomes: Invited,
}

/// What becomes of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// The participant gets a token, and a former one is void.
    Invited,
    /// The token is void.
    Revoked,
}

/// Gives a participant a token, which is told once, or takes it back.
///
/// # Errors
///
/// As the exit codes say; nothing has changed then.
pub fn invite(request: InviteRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let name = spelt_as_names(&request.name);
    match request.becomes {
        Invited::Invited => {
            let is_new = !Participants::read(&folder)?.has(&name);
            let Invitation { token, has_replaced } = participants::invite(&folder, &name)?;
            if has_replaced {
                say(format!(
                    "note: the old token of `{name}` is revoked, and bots that still wait under it \
                     are refused"
                ));
            }
            if is_new && folder.read()?.newest(&name).is_some() {
                say(format!(
                    "note: a bot `{name}` has already entered, and new submissions will replace it"
                ));
            }
            Ok(writeln!(out, "{name}: {token}")?)
        }
        Invited::Revoked => {
            participants::revoke(&folder, &name)?;
            Ok(writeln!(out, "{name} can no longer hand in bots")?)
        }
    }
}
