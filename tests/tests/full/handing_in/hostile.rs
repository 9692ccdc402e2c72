//! Hostile archives, and the real server.

use tests::archives::{Entry, deflated, gz, stored, tar_entry, zip};
use tests::handing_in::{Server, bot, refusal};
use tests::league::{league, states};

const MANIFEST: (&str, &[u8]) = ("bot.toml", b"name = 'x'\ncommand = 'sh bot.sh'\n");

/// A zip with a manifest and another entry.
fn zip_with(entry: Entry) -> Vec<u8> {
    zip(&[stored(MANIFEST.0, MANIFEST.1), entry])
}

/// A compressed tar with a manifest and an entry of this kind.
fn tar_with(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
    gz(&[tar_entry(MANIFEST.0, b'0', MANIFEST.1), tar_entry(name, kind, content), vec![0; 1024]]
        .concat())
}

/// Uploads with what the refusal says: all that take much to be refused, and one of each other family. The crate `bot` has
/// all in `unpacking::refusals`.
fn uploads() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let zeros = vec![0; 300 << 20];
    let link = Entry { mode: 0o120_777, ..stored("x", b"/etc/passwd") };
    let many: Vec<u8> =
        (0..100_000).flat_map(|it| tar_entry(&format!("f{it}"), b'0', b"")).collect();
    let many_zipped: Vec<Entry> = (0..65_000).map(|it| stored(format!("f{it}"), b"")).collect();
    vec![
        ("a zip bomb", zip_with(deflated("x", &zeros)), "unpacks to more than"),
        ("a bomb of a tar", tar_with("x", b'0', &zeros), "unpacks to more than"),
        ("zeros behind a tar", gz(&[many[..512].to_vec(), zeros].concat()), "unpacks to more than"),
        ("a long name", tar_with("x", b'L', &vec![b'x'; 20 << 20]), "damaged or truncated"),
        ("100,000 files", gz(&many), "more than 2000 files and folders"),
        ("65,000 files in a zip", zip(&many_zipped), "more than 2000 files and folders"),
        ("`..` in a zip", zip_with(stored("../x", b"")), "contains `..`"),
        ("a link in a zip", zip_with(link), "`x` in the archive is a link"),
        ("a pipe", tar_with("x", b'6', b""), "`x` in the archive is a pipe"),
        ("no manifest", zip(&[stored("bot.sh", b"exit")]), "no bot.toml in the archive"),
        ("a program", b"\x7fELF\x02\x01\x01\0".to_vec(), "unsupported file type (a program)"),
        ("a text", b"hello\n".to_vec(), "cannot tell the language of `bot.zip`"),
    ]
}

#[test]
fn each_hostile_upload_is_refused_and_the_server_stays_small() {
    let server = Server::start(league(&["random"]));
    for (number, (what, content, expected)) in uploads().into_iter().enumerate() {
        // Each has a participant of its own, since none may send so many.
        let token = server.invite(&format!("p{number}"));
        let told = server.hand_in(&token, "bot.zip", &content);
        assert_eq!(told["verdict"], "refused", "{what}: {told}");
        assert_eq!(told["step"], "files", "{what}: {told}");
        let why = told["why"].as_str().expect("a reason");
        assert!(why.contains(expected), "{what}: {why}");
        assert!(!why.contains("class/"), "where it was unpacked is told: {why}");
    }
    let token = server.invite("anna");
    let long = server.send(&token, "bot.zip", &vec![b'x'; (16 << 20) + 1]);
    assert!(refusal(&long, 413).starts_with("the file is larger than 16.0 MiB"));
    let long_name = "x".repeat(5_000);
    let told = server.hand_in(&token, &format!("{long_name}.sh"), b"exit\n");
    assert!(told["why"].as_str().expect("a reason").contains("invalid source file name"));
    // After all of that it takes a good one.
    let told = server.hand_in(&token, "bot.zip", &bot("good"));
    assert_eq!(told["bot"], "anna@1", "{told}");
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
    let peak = server.peak();
    println!("at most {peak} KiB");
    assert!(peak < 100 << 10, "{peak} KiB");
}
