//! `arbiter league invite` and `code`: participants of a league and their tokens.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::class_list::{self, ClassList, InvitedPerson};
use bot::spelt_as_names;
use contest::tournament::folder::shown;
use league::folder::LeagueFolder;
use league::keys;
use league::participants::{self, Invitation, InvitationRequest, Participants};
use sandbox::file;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, spreadsheet_cell};

/// The longest list of participants that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The options of `arbiter league invite`.
#[derive(Debug)]
pub(crate) struct InviteRequest {
    pub folder: PathBuf,
    pub change: InviteChange,
}

/// The change for participants.
#[derive(Debug)]
pub(crate) enum InviteChange {
    /// A new token for a participant or a member, which makes a former one void.
    Invite(InvitedPerson),
    /// Tokens for all in a list who have none.
    InviteAll(PathBuf),
    /// No token any more.
    Revoke(InvitedPerson),
}

/// Gives participants tokens, which are shown once, or revokes them.
pub(crate) fn invite(request: InviteRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    match request.change {
        InviteChange::Invite(person) => {
            let person = InvitedPerson { name: spelt_as_names(&person.name), ..person };
            invite_one(&folder, &person, out)
        }
        InviteChange::InviteAll(list) => invite_all(&folder, &list, out),
        InviteChange::Revoke(InvitedPerson { name, member, .. }) => {
            let name = spelt_as_names(&name);
            participants::revoke(&folder, &name, member.as_deref())?;
            let told = member.map_or(name.clone(), |member| format!("{member} of {name}"));
            Ok(writeln!(out, "token of {told} revoked")?)
        }
    }
}

fn invite_one(
    folder: &LeagueFolder,
    person: &InvitedPerson,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let name = &person.name;
    let is_new = !Participants::read(folder)?.has(name);
    let Invitation { token, has_replaced } = participants::invite(folder, &person.invited())?;
    if has_replaced {
        say(format!(
            "note: the old token of `{name}` is revoked; its queued submissions will be rejected"
        ));
    }
    if is_new && folder.read()?.newest(name).is_some() {
        say(format!(
            "note: a bot `{name}` has already entered; submissions will become its new versions"
        ));
    }
    let told = person.member.as_ref().map_or(name.clone(), |member| format!("{name}/{member}"));
    Ok(writeln!(out, "{told}: {token}")?)
}

/// Invites all in a list, and writes a list with their tokens. All of them get one, or none.
fn invite_all(folder: &LeagueFolder, list: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Usage(format!("`{}`: {problem}", shown(list)));
    let bytes = file::bytes(list, LONGEST).map_err(|error| wrong(text::system_error(error)))?;
    let ClassList { people: listed, notes } = class_list::read(&bytes).map_err(wrong)?;
    let known = Participants::read(folder)?;
    let has_token = |person: &InvitedPerson| {
        let mut all = known.all();
        let found = all.find(|(name, _)| *name == person.name);
        found.is_some_and(|(_, participant)| participant.has_token(person.member.as_deref()))
    };
    let (before, new): (Vec<InvitedPerson>, Vec<InvitedPerson>) =
        listed.into_iter().partition(has_token);
    let invited: Vec<InvitationRequest<'_>> = new.iter().map(InvitedPerson::invited).collect();
    let invitations = participants::invite_all(folder, &invited)?;
    let unwritten = |error: csv::Error| Failure::Ours(format!("cannot write the list: {error}"));
    let mut written = csv::Writer::from_writer(Vec::new());
    written.write_record(["name", "member", "person", "token"]).map_err(unwritten)?;
    for (InvitedPerson { name, member, person }, invitation) in new.iter().zip(invitations) {
        let (member, person) = (member.as_deref(), person.as_deref());
        let token = invitation.token.to_string();
        let person = printable(person.unwrap_or_default());
        let row = [name, member.unwrap_or_default(), &spreadsheet_cell(&person), &token];
        written.write_record(row).map_err(unwritten)?;
    }
    let text = written.into_inner().map_err(|error| unwritten(error.into_error().into()))?;
    out.write_all(&text)?;
    notes.iter().for_each(|note| say(format!("note: `{}`: {note}", shown(list))));
    if !before.is_empty() {
        let before = counted(before.len(), "participant has", "participants have");
        say(format!("note: {before} a token already; skipped"));
    }
    Ok(())
}

/// The change of the code by which people register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeChange {
    /// A new code for this number of people.
    New(u64),
    /// No code any more.
    Revoke,
}

/// Makes a code for a class, which is shown once, or revokes it.
pub(crate) fn code(path: &Path, change: CodeChange, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    match change {
        CodeChange::New(uses) => Ok(writeln!(out, "{}", keys::new_code(&folder, uses)?)?),
        CodeChange::Revoke => {
            keys::revoke_code(&folder)?;
            Ok(writeln!(out, "registration code revoked")?)
        }
    }
}
