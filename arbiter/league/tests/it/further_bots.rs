//! Several bots of a participant, and the members of a team.

use std::fs;

use jiff::Timestamp;
use league::audit;
use league::events;
use league::folder::LeagueFolder;
use league::line::{LeagueLine, RetireLine};
use league::participants::{self, InvitationRequest, Participants, TokenHolder};
use league::refusal::Refusal;
use league::results::LeagueResults;
use league::settings::LeagueConfig;
use league::submissions::{self, ParticipantUpload};
use league::{choice, forget};
use rules::Digest;
use tempfile::{NamedTempFile, TempDir};
use text::failure::Failure;

use super::made::MadeLeague;
use super::small;

/// A league with a participant `anna`, whose member is `zofia`, and these quotas.
fn league(quotas: &str) -> (TempDir, MadeLeague) {
    let (folder, league) = small();
    let path = league.folder.path().join("league.toml");
    let settings = fs::read_to_string(&path).expect("settings");
    fs::write(&path, format!("{settings}\n[quotas]\n{quotas}\n")).expect("room");
    for member in [None, Some("zofia")] {
        let anna = InvitationRequest { name: "anna", member, person: None };
        participants::invite(&league.folder, &anna).expect("a token");
    }
    (folder, league)
}

fn claim(folder: &LeagueFolder, bot: &str) -> Result<(), String> {
    let quotas = folder.quotas().expect("quotas");
    submissions::claim_bot(folder, &quotas, "anna", bot).map_err(|problem| problem.to_string())
}

fn send(folder: &LeagueFolder, bot: &str, member: Option<&str>) -> Result<u64, Refusal> {
    let terms = LeagueConfig::read(folder).expect("terms");
    let content = NamedTempFile::new_in(folder.path()).expect("a file");
    let anna = InvitationRequest { name: "anna", member, person: None };
    let token = participants::invite(folder, &anna).expect("a token").token.to_string();
    let token = Digest::hash(token.as_bytes());
    let at = Timestamp::now();
    let upload = ParticipantUpload { participant: bot, token, member, content, file: None, at };
    submissions::take_in(folder, &terms, upload).map(|taken| taken.number)
}

#[test]
fn a_league_takes_one_bot_of_a_participant_unless_its_quotas_say_more() {
    let (_folder, league) = league("");
    assert!(claim(&league.folder, "anna").is_ok());
    let why = claim(&league.folder, "anna-2").expect_err("one alone");
    assert_eq!(why, "this league accepts one bot per participant");
}

#[test]
fn names_of_further_bots_begin_with_that_of_their_participant_and_belong_to_nobody_else() {
    let (_folder, mut league) = league("bots = 3");
    league.enter("anna-house", "greedy");
    let folder = &league.folder;
    for (bot, says) in [
        ("other", "use a name that begins with `anna-`"),
        ("annab", "use a name that begins with `anna-`"),
        ("ann", "use a name that begins with `anna-`"),
        ("anna-a/b", "invalid participant name"),
        ("anna-house", "is taken"),
    ] {
        let why = claim(folder, bot).expect_err(bot);
        assert!(why.contains(says), "{bot}: {why}");
    }
    claim(folder, "anna-2").expect("a name");
    claim(folder, "anna-2").expect("the same one");
    let invite = |name| {
        participants::invite(folder, &InvitationRequest { name, member: None, person: None })
    };
    assert_eq!(
        invite("anna-2").expect_err("a bot of anna").to_string(),
        "the name `anna-2` is taken"
    );
    assert!(participants::register(folder, "anna-2").is_err());
    // A name that was not used is free again.
    claim(folder, "anna-3").expect("a name");
    let known = Participants::read(folder).expect("participants");
    assert_eq!(known.owner("anna-2"), None);
    assert_eq!(known.owner("anna-3"), Some("anna"));
    assert_eq!(known.bots_beside("anna-3"), ["anna", "anna-3"]);
    assert_eq!(known.bots_beside("greedy"), ["greedy"]);
}

#[test]
fn quotas_count_all_bots_of_a_participant() {
    let (_folder, mut league) = league("bots = 2\nattempts-a-day = 4");
    claim(&league.folder, "anna-2").expect("a name");
    assert_eq!(send(&league.folder, "anna", None).expect("the first"), 1);
    assert_eq!(send(&league.folder, "anna-2", Some("zofia")).expect("the second"), 1);
    claim(&league.folder, "anna-3").expect("a name");
    let why = send(&league.folder, "anna-3", None).expect_err("two wait");
    assert_eq!(why.to_string(), "limit of 2 bots reached: submit a new version of one of them");
    // A new submission of a bot takes the place of its own alone.
    assert_eq!(send(&league.folder, "anna-2", None).expect("a correction"), 2);
    let first = submissions::find(&league.folder, "anna", 1).expect("it is there");
    assert!(first.is_waiting());
    // One that has left makes room.
    submissions::withdraw(&league.folder, "anna", 1).expect("it waits");
    assert_eq!(send(&league.folder, "anna-3", None).expect("two wait"), 1);
    let why = send(&league.folder, "anna-3", None).expect_err("four attempts").to_string();
    assert!(why.starts_with("daily limit of 4 attempts reached"), "{why}");
    let sent = submissions::find(&league.folder, "anna-2", 1).expect("it is there");
    assert_eq!(sent.record.member.as_deref(), Some("zofia"));
    // A new version of one that is there is taken also where fewer may be by now.
    let path = league.folder.path().join("league.toml");
    let settings = fs::read_to_string(&path).expect("settings");
    let fewer = settings.replace("bots = 2\nattempts-a-day = 4", "bots = 1");
    fs::write(&path, fewer).expect("room");
    assert_eq!(send(&league.folder, "anna-3", None).expect("it waits already"), 2);
    // A disqualification of one bars all of them.
    league.enter("anna-2", "greedy");
    let bot = league.league().current("anna-2").expect("it plays").entry.bot.clone();
    let why = RetireLine::Reason { bot, reason: "copied".to_owned(), disqualified: true };
    league.append(LeagueLine::Retire(why)).expect("it fits");
    let barred = send(&league.folder, "anna", None).expect_err("disqualified").to_string();
    assert_eq!(barred, "disqualified: copied");
}

#[test]
fn results_have_a_row_for_each_bot_and_forgetting_covers_bots_and_members() {
    let (_folder, mut league) = league("bots = 2");
    claim(&league.folder, "anna-2").expect("a name");
    send(&league.folder, "anna-2", Some("zofia")).expect("it waits");
    for bot in ["anna", "anna", "anna-2"] {
        league.enter(bot, "greedy");
    }
    let zofia = TokenHolder { participant: "anna".to_owned(), member: Some("zofia".to_owned()) };
    let terms = LeagueConfig::read(&league.folder).expect("terms");
    let bot = "anna@1".parse().expect("a version");
    let author = choice::Chooser::Author { terms: &terms, at: Timestamp::now(), by: &zofia };
    choice::choose(&league.folder, &bot, author).expect("an earlier version");
    let told = events::latest(&league.folder, 1, None, Some("anna")).expect("events");
    assert_eq!(told[0].happened.in_words(), "anna@1 was chosen by its author (by zofia)");
    let event = events::LeagueEvent::Entered("anna-2@1".parse().expect("a version"));
    events::add_of_member(&league.folder, event, Some("zofia"));
    audit::add_of_participant(&league.folder, &zofia, "submit", "submission 1 of anna-2");
    let told = events::latest(&league.folder, 1, None, Some("anna-2")).expect("events");
    assert_eq!(told[0].happened.in_words(), "anna-2@1 has entered (by zofia)");
    assert_eq!(told[0].happened.event.in_words(), "anna-2@1 has entered", "for feeds");
    assert_eq!(audit::latest(&league.folder, 1).expect("actions")[0].by, "anna/zofia");
    let rows = LeagueResults::read(&league.folder).expect("results").rows;
    let own = rows.iter().filter(|row| row.participant.as_deref() == Some("anna"));
    let own: Vec<(String, &[String])> =
        own.map(|row| (row.bot.as_ref().expect("a bot").to_string(), &row.members[..])).collect();
    let members = ["zofia".to_owned()];
    assert_eq!(own.len(), 2);
    for bot in ["anna@1", "anna-2@1"] {
        assert!(own.contains(&(bot.to_owned(), &members[..])), "{own:?}");
    }
    let retire = |name: &str| {
        let bot = league.league().current(name).expect("it plays").entry.bot.clone();
        league.append(LeagueLine::Retire(RetireLine::Bot(bot))).expect("it fits");
    };
    retire("anna");
    let why = forget::forget(&league.folder, "anna").expect_err("a bot plays").to_string();
    assert!(why.starts_with("anna-2@1 still plays"), "{why}");
    retire("anna-2");
    let forgotten = forget::forget(&league.folder, "anna-2").expect("both have left");
    assert_eq!((forgotten.name.as_str(), forgotten.submissions, forgotten.events), ("anna", 1, 2));
    assert_eq!(forgotten.proof.versions.len(), 3);
    for entry in
        ["participants.json", "events.jsonl", "audit.jsonl", "submissions/anna-2/1/submission.json"]
    {
        let text = fs::read_to_string(league.folder.path().join(entry)).expect("a file");
        assert!(!text.contains("zofia"), "{entry}: {text}");
    }
    let known = Participants::read(&league.folder).expect("participants");
    assert_eq!(known.owner("anna-2"), Some("anna"), "nobody else gets its name");
}

/// A name without a submission is free again when another one is chosen, also during an upload: the file was then taken
/// for a bot without a participant, for which no quota held.
#[test]
fn a_file_whose_name_was_given_up_meanwhile_is_refused() {
    let (_folder, league) = league("bots = 3");
    claim(&league.folder, "anna-2").expect("a name");
    claim(&league.folder, "anna-3").expect("a name");
    let why = send(&league.folder, "anna-2", None).expect_err("its name is free").to_string();
    assert!(why.starts_with("this token no longer holds the name `anna-2`"), "{why}");
    assert!(submissions::find(&league.folder, "anna-2", 1).is_none());
    claim(&league.folder, "anna-2").expect("it is free");
    assert_eq!(send(&league.folder, "anna-2", None).expect("a bot of anna"), 1);
}

/// A stranger could register under the name that says which bot of another participant it is.
#[test]
fn a_name_for_a_further_bot_of_a_participant_cannot_be_registered() {
    let (_folder, several) = league("bots = 2");
    for name in ["anna-2", "Anna-2", "anna-a-b"] {
        let why = participants::register(&several.folder, name).expect_err(name).to_string();
        assert_eq!(
            why,
            format!("`{name}` is reserved for a bot of `anna`: choose a different name")
        );
    }
    participants::register(&several.folder, "annabel-2").expect("another name");
    // Whoever came first keeps the name, and nobody takes its beginning.
    for name in ["annabel", "Annabel"] {
        let why = participants::register(&several.folder, name).expect_err(name).to_string();
        let expected =
            format!("`annabel-2` would look like a bot of `{name}`: choose a different name");
        assert_eq!(why, expected);
    }
    participants::register(&several.folder, "annab").expect("another name");
    let (_folder, single) = league("bots = 1");
    participants::register(&single.folder, "anna-maria").expect("anna has one bot");
    participants::register(&single.folder, "carl-maria").expect("a name");
    participants::register(&single.folder, "carl").expect("carl has one bot");
}

/// One name in a class list that is a further bot of a participant refused the list, and no line was named.
#[test]
fn a_refused_list_says_which_of_its_names_is_wrong() {
    let (_folder, league) = league("bots = 2");
    claim(&league.folder, "anna-2").expect("a name");
    let listed =
        ["ben", "anna-2"].map(|name| InvitationRequest { name, member: None, person: None });
    let refused = |place: usize, why: &str| Failure::Usage(format!("name {place}: {why}"));
    let refusal = participants::invite_all(&league.folder, &listed, &refused);
    let why = refusal.expect_err("one of them is a bot").to_string();
    assert_eq!(why, "name 1: the name `anna-2` is taken");
    assert!(!Participants::read(&league.folder).expect("participants").has("ben"));
}
