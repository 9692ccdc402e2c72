//! `arbiter league invite` and `code`: participants of a league and their tokens.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::class_list::{self, ClassList, InvitedPerson};
use crate::options::number;
use bot::spelt_as_names;
use contest::tournament::folder::shown;
use league::audit;
use league::folder::LeagueFolder;
use league::keys;
use league::participants::{self, Invitation, InvitationRequest, Participants};
use sandbox::file;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, spreadsheet_cell};

/// The longest list of participants that is read, in bytes.
const LONGEST: u64 = 4 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Bots submitted with the token enter as NAME. Inviting again revokes the old \
token.

--csv FILE has a header line with `name` and, optionally, `member` and `person` (the real name). \
Prints a CSV for a mail merge: these columns, the new tokens, and all other columns as they are; participants with a token are skipped. \
The submission page is part of `arbiter serve DIR --submit`.

Examples:
  arbiter league invite class anna
  arbiter league invite class anna --member ben
  arbiter league invite class --csv class.csv > tokens.csv"
)]
pub(super) struct InviteArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of the participant and of their bot
    #[arg(value_name = "NAME", required_unless_present = "csv")]
    name: Option<String>,
    /// Team member to invite with a separate token
    #[arg(long, value_name = "MEMBER")]
    member: Option<String>,
    /// Real name, visible to the organiser and on certificates
    #[arg(long, value_name = "TEXT", conflicts_with = "revoke")]
    person: Option<String>,
    /// Revoke the token and those of all members; entered bots stay
    #[arg(long)]
    revoke: bool,
    /// Invite everyone in a CSV file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "member", "person", "revoke"])]
    csv: Option<PathBuf>,
}

impl InviteArgs {
    /// Gives participants tokens, which are shown once, or revokes them.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        if let Some(list) = self.csv {
            return invite_all(&folder, &list, out);
        }
        let name = spelt_as_names(&self.name.unwrap_or_default());
        if !self.revoke {
            let person = InvitedPerson {
                name,
                member: self.member,
                person: self.person,
                others: Vec::new(),
                line: 0,
            };
            return invite_one(&folder, &person, out);
        }
        participants::revoke(&folder, &name, self.member.as_deref())?;
        audit::add(&folder, audit::COMMAND, "invite", &format!("token of {name} revoked"));
        let told = self.member.map_or(name.clone(), |member| format!("{member} of {name}"));
        Ok(writeln!(out, "token of {told} revoked")?)
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
    audit::add(folder, audit::COMMAND, "invite", &format!("new token for {name}"));
    let told = person.member.as_ref().map_or(name.clone(), |member| format!("{name}/{member}"));
    Ok(writeln!(out, "{told}: {token}")?)
}

/// Invites all in a list, and writes a list with their tokens. All of them get one, or none.
fn invite_all(folder: &LeagueFolder, list: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Usage(format!("`{}`: {problem}", shown(list)));
    let bytes = file::bytes(list, LONGEST).map_err(|error| wrong(text::system_error(error)))?;
    let ClassList { people: listed, others, notes } = class_list::read(&bytes).map_err(wrong)?;
    let known = Participants::read(folder)?;
    let has_token = |person: &InvitedPerson| {
        let mut all = known.all();
        let found = all.find(|(name, _)| *name == person.name);
        found.is_some_and(|(_, participant)| participant.has_token(person.member.as_deref()))
    };
    let (before, new): (Vec<InvitedPerson>, Vec<InvitedPerson>) =
        listed.into_iter().partition(has_token);
    let invited: Vec<InvitationRequest<'_>> = new.iter().map(InvitedPerson::invited).collect();
    let refused = |place: usize, why: &str| wrong(format!("line {}: {why}", new[place].line));
    let invitations = participants::invite_all(folder, &invited, &refused)?;
    let done = format!("new tokens for {}", counted(invited.len(), "person", "people"));
    audit::add(folder, audit::COMMAND, "invite", &done);
    let unwritten = |error: csv::Error| Failure::Ours(format!("cannot write the list: {error}"));
    let mut written = csv::Writer::from_writer(Vec::new());
    let headings = ["name", "member", "person", "token"].map(str::to_owned);
    let others = others.iter().map(|heading| spreadsheet_cell(heading).into());
    written.write_record(headings.into_iter().chain(others)).map_err(unwritten)?;
    for (InvitedPerson { name, member, person, others, .. }, invitation) in
        new.iter().zip(invitations)
    {
        let (member, person) = (member.as_deref(), person.as_deref());
        let token = invitation.token.to_string();
        let person = printable(person.unwrap_or_default());
        let row = [name, member.unwrap_or_default(), &spreadsheet_cell(&person), &token];
        let others = others.iter().map(|cell| spreadsheet_cell(cell).into());
        let row = row.into_iter().map(str::to_owned).chain(others);
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

#[derive(Debug, Args)]
#[command(
    after_help = "Everyone with the code can pick a name and get a token. A new code replaces \
the old one.

Example: arbiter league code class --uses 40"
)]
pub(super) struct CodeArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of registrations allowed
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<u64>("a number of people", 1..=10_000))]
    uses: u64,
    /// Revoke the code; registered participants stay
    #[arg(long, conflicts_with = "uses")]
    revoke: bool,
}

impl CodeArgs {
    /// Makes a code for a class, which is shown once, or revokes it.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        if !self.revoke {
            let code = keys::new_code(&folder, self.uses)?;
            let done = format!("new registration code for {}", counted(self.uses, "use", "uses"));
            audit::add(&folder, audit::COMMAND, "code", &done);
            return Ok(writeln!(out, "{code}")?);
        }
        keys::revoke_code(&folder)?;
        audit::add(&folder, audit::COMMAND, "code", "registration code revoked");
        Ok(writeln!(out, "registration code revoked")?)
    }
}
