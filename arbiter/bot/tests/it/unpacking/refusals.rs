//! Hostile archives, each with its refusal.

use std::fs;
use std::io::Cursor;

use bot::unpacking::{Upload, UploadBounds, unpack};
use tar::EntryType;
use tempfile::TempDir;

use super::archives::{Entry, deflated, gz, stored, zip};
use super::{MANIFEST, append, header, refusal, sent, tar};

fn manifest() -> Entry {
    stored("bot.toml", MANIFEST.as_bytes())
}

/// Why a zip with a manifest and this entry is refused.
fn zipped(entry: Entry) -> String {
    refusal(&zip(&[manifest(), entry]), None)
}

/// Why a tar with a manifest and this entry is refused.
fn tarred(name: &[u8], kind: EntryType, content: &[u8]) -> String {
    let bytes = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        append(to, name, kind, content);
    });
    refusal(&gz(&bytes), None)
}

#[test]
fn paths_that_lead_elsewhere_or_are_none() {
    let cases: [(&[u8], &str); 16] = [
        (b"../up", "`../up` in the archive contains `..`"),
        (b"a/../../up", "`a/../../up` in the archive contains `..`"),
        (b"a/..", "`a/..` in the archive contains `..`"),
        (b"..", "`..` in the archive contains `..`"),
        (b"/etc/passwd", "`/etc/passwd` in the archive is absolute"),
        (b"C:evil", "`C:evil` in the archive is absolute"),
        (b"..\\up", "uses backslashes: repack with"),
        (b"a\\b", "uses backslashes"),
        (b"a//b", "`a//b` in the archive has an empty part"),
        (b"caf\xe9", "in the archive is not UTF-8"),
        (b"a\nb", "contains a control character"),
        (b"a\x1b[2J", "contains a control character"),
        ("a\u{85}b".as_bytes(), "contains a control character"),
        (b"a/b/c/d/e", "is nested more than 3 folders deep"),
        (&[b'x'; 61], "is longer than 60 bytes"),
        (b"x/__MACOSX/../../up", "contains `..`"),
    ];
    for (name, expected) in cases {
        for problem in [zipped(stored(name, b"!")), tarred(name, EntryType::Regular, b"!")] {
            let shown = String::from_utf8_lossy(name);
            assert!(problem.starts_with("the path `"), "{shown}: {problem}");
            assert!(problem.contains(expected), "{shown}: {problem}");
        }
    }
    // A zip may have names that a tar cannot.
    assert!(zipped(stored("", b"!")).contains("is empty"));
    assert!(zipped(stored("a\0b", b"!")).contains("contains a control character"));
    let long = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        append(to, b"././@LongLink", EntryType::GNULongName, b"../../up\0");
        append(to, b"harmless", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&long), None).contains("`../../up` in the archive contains `..`"));
    let pax = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        to.append_pax_extensions([("path", b"/etc/passwd".as_slice())]).expect("in memory");
        append(to, b"harmless", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&pax), None).contains("`/etc/passwd` in the archive is abs"));
}

#[test]
fn what_is_neither_a_file_nor_a_folder() {
    let modes = [
        (0o120_777, "a link"),
        (0o010_644, "a pipe"),
        (0o020_644, "a device"),
        (0o060_644, "a device"),
        (0o140_644, "a socket"),
    ];
    for (mode, what) in modes {
        let problem = zipped(Entry { mode, ..stored("x", b"/etc/passwd") });
        assert_eq!(
            problem,
            format!("`x` in the archive is {what}: only files and folders are allowed")
        );
    }
    let kinds = [
        (EntryType::Symlink, "a link"),
        (EntryType::Link, "a link"),
        (EntryType::Fifo, "a pipe"),
        (EntryType::Char, "a device"),
        (EntryType::Block, "a device"),
        (EntryType::GNUSparse, "a sparse file"),
        (EntryType::new(b'V'), "of an unknown type"),
    ];
    for (kind, what) in kinds {
        let problem = tarred(b"x", kind, b"");
        assert_eq!(
            problem,
            format!("`x` in the archive is {what}: only files and folders are allowed")
        );
    }
    // A link that would be followed by the next file is never made.
    let through = tar(|to| {
        append(to, b"out", EntryType::Symlink, b"");
        append(to, b"out/x", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&through), None).contains("`out` in the archive is a link"));
}

#[test]
fn names_that_come_twice() {
    let pairs = [
        ("a.py", "a.py", "`a.py` and `a.py` in the archive have the same name"),
        ("a.py", "A.PY", "`A.PY` and `a.py` in the archive have the same name"),
        ("a", "a/b", "`a` and `a` in the archive have the same name"),
        ("a/b", "a", "`a` and `a` in the archive have the same name"),
        ("a/b", "A/c", "`A` and `a` in the archive have the same name"),
        ("σ", "ς", "`ς` and `σ` in the archive have the same name"),
        ("\u{17e}", "z\u{30c}", " and `\u{17e}` in the archive have the same name"),
        ("bot.toml", "x", "`bot.toml` and `bot.toml` in the archive have the same name"),
        ("./b", "b", "`b` and `b` in the archive have the same name"),
    ];
    for (one, other, expected) in pairs {
        let entries = [manifest(), stored(one, b"1"), stored(other, b"2")];
        let problem = refusal(&zip(&entries), None);
        assert!(problem.contains(expected), "{one} {other}: {problem}");
        let bytes = tar(|to| {
            for name in ["bot.toml", one, other] {
                append(to, name.as_bytes(), EntryType::Regular, MANIFEST.as_bytes());
            }
        });
        let problem = refusal(&gz(&bytes), None);
        assert!(problem.contains(expected), "{one} {other}: {problem}");
    }
}

#[test]
fn what_becomes_too_much() {
    let zeros = vec![0; 20 << 20];
    let bomb = zip(&[manifest(), deflated("zeros", &zeros)]);
    assert!(bomb.len() < 64 << 10);
    let told = refusal(&bomb, None);
    assert_eq!(told, "suspicious archive: it unpacks to more than 100 times its size");
    let full = zip(&[stored("bot.toml", b""), stored("zeros", &zeros[..(8 << 20) + 1])]);
    let told = refusal(&full, None);
    assert!(told.starts_with("the unpacked archive is larger than 8.0 MiB"), "{told}");
    let small = gz(&tar(|to| append(to, b"zeros", EntryType::Regular, &zeros[..5 << 20])));
    assert!(small.len() < 16 << 10);
    let told = refusal(&small, None);
    assert!(told.contains("is larger than 1.0 MiB"), "{told}");
    let large = gz(&tar(|to| append(to, b"zeros", EntryType::Regular, &zeros)));
    assert!(refusal(&large, None).contains("unpacks to more than 100 times"));
    let noise: Vec<u8> =
        (0..20_000_u64).flat_map(|it| (it * it * 0x9e37_79b9).to_le_bytes()).collect();
    let some = zip(&[stored("noise", &noise[..20_000]), deflated("zeros", &zeros[..7 << 20])]);
    assert!(refusal(&some, None).contains("unpacks to more than 100 times its"));
    // Skipped entries count as well.
    let passed = gz(&tar(|to| append(to, b".git/pack", EntryType::Regular, &zeros)));
    assert!(refusal(&passed, None).contains("unpacks to more than"));
    // Zeros behind the end.
    let behind = gz(&[tar(|to| append(to, b"x", EntryType::Regular, b"")), zeros.clone()].concat());
    assert!(refusal(&behind, None).contains("unpacks to more than"));
    // A size that is a lie.
    let lie = Entry { size: 10, ..deflated("zeros", &zeros) };
    let told = zipped(lie);
    assert!(told.starts_with("the archive is damaged or truncated: "), "{told}");
    let long = vec![b'x'; (9 << 20) + 1];
    assert!(refusal(&long, None).starts_with("the file is larger than 9.0 MiB"));
}

#[test]
fn many_files() {
    let many: Vec<Entry> = (0..201).map(|it| stored(format!("f{it}"), b"")).collect();
    let told = "the archive has more than 200 files and folders";
    assert_eq!(refusal(&zip(&many), None), told);
    let many = tar(|to| {
        (0..100_000)
            .for_each(|it| append(to, format!("f{it}").as_bytes(), EntryType::Regular, b""));
    });
    assert_eq!(refusal(&gz(&many), None), told);
    // Folders that are only named in paths count.
    let deep: Vec<Entry> = (0..100).map(|it| stored(format!("d{it}/f"), b"")).collect();
    let more: Vec<Entry> = (0..1).map(|it| stored(format!("e{it}/f"), b"")).collect();
    assert_eq!(refusal(&zip(&[deep, more].concat()), None), told);
    // A directory of records that says less than it holds.
    let mut lie = zip(&(0..201).map(|it| stored(format!("f{it}"), b"")).collect::<Vec<_>>());
    let end = lie.len() - 22;
    lie[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
    refusal(&lie, None);
    let extensions = tar(|to| {
        (0..300).for_each(|_| append(to, b"x", EntryType::GNULongName, b"x\0"));
    });
    assert_eq!(refusal(&gz(&extensions), None), told);
}

#[test]
fn entries_that_cannot_be_read() {
    let locked = Entry { flags: 1, ..deflated("x", b"secret") };
    assert!(zipped(locked).starts_with("`x` in the archive is encrypted: remove the password"));
    let strange = Entry { method: 14, ..stored("x", b"?") };
    assert_eq!(zipped(strange), "`x` in the archive uses 14 (lzma): recompress it with deflate");
    let overlapping = Entry { at: Some(0), name: b"x".to_vec(), ..manifest() };
    assert!(zipped(overlapping).contains("overlaps another entry"));
    let outside = Entry { at: Some(1 << 30), ..stored("x", b"?") };
    assert!(zipped(outside).starts_with("the archive is damaged or truncated"));
    let wrong = Entry { sum: 1, ..stored("x", b"?") };
    assert!(zipped(wrong).starts_with("the archive is damaged or truncated"));
    let garbage = Entry { method: 8, ..stored("x", b"\xff\xff\xff\xff") };
    assert!(zipped(garbage).starts_with("the archive is damaged or truncated"));
    let sized = tar(|to| {
        to.append_pax_extensions([("size", b"3".as_slice())]).expect("in memory");
        append(to, b"x", EntryType::Regular, b"12345");
    });
    assert!(refusal(&gz(&sized), None).contains("`x` has two sizes"));
    let global = tar(|to| append(to, b"g", EntryType::XGlobalHeader, b"10 path=x\n"));
    assert!(refusal(&gz(&global), None).contains("one name or size"));
    let long = tar(|to| append(to, b"x", EntryType::GNULongName, &vec![b'x'; 100 << 10]));
    assert!(refusal(&gz(&long), None).contains("a header is too long"));
    let alone = tar(|to| append(to, b"x", EntryType::GNULongName, b"x\0"));
    assert!(refusal(&gz(&alone), None).contains("the last header has no entry"));
    let mut cut = tar(|to| append(to, b"x", EntryType::Regular, b"12345"));
    cut.truncate(512);
    assert!(refusal(&gz(&cut), None).contains("`x` is truncated"));
    let mut sum = tar(|to| append(to, b"x", EntryType::Regular, b"12345"));
    sum[0] ^= 1;
    assert!(refusal(&gz(&sum), None).contains("damaged or truncated"));
    let huge = [header(b"x", EntryType::Regular, 1 << 40).as_bytes().to_vec(), vec![0; 1024]];
    assert!(refusal(&gz(&huge.concat()), None).contains("is truncated"));
}

#[test]
fn an_archive_that_is_cut_off_anywhere() {
    let entries = [manifest(), deflated("a", &[7; 3_000]), stored("b/c", b"some text\n")];
    let whole = [
        zip(&entries),
        gz(&tar(|to| {
            append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
            append(to, b"b/c", EntryType::Regular, b"some text\n");
        })),
    ];
    for bytes in whole {
        assert!(sent(&bytes, None).is_ok());
        for end in 4..bytes.len() {
            refusal(&bytes[..end], None);
        }
    }
}

#[test]
fn what_is_no_archive_and_no_source() {
    let told = |bytes: &[u8], file| refusal(bytes, file);
    assert_eq!(told(b"", None), "the file is empty");
    let signs: [(&[u8], &str); 6] = [
        (b"\x7fELF\x02\x01", "a program"),
        (b"MZ\x90", "a program"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"Rar!\x1a\x07\x01", "a RAR archive"),
        (b"\xfd7zXZ\0", "compressed with xz"),
        (b"BZh91AY", "compressed with bzip2"),
    ];
    for (sign, what) in signs {
        let expected =
            format!("unsupported file type ({what}): send a .zip, a .tar.gz or a source file");
        assert_eq!(told(sign, Some("bot.zip")), expected);
    }
    let plain = tar(|to| append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes()));
    assert!(told(&plain, Some("bot.tar.gz")).contains("an uncompressed .tar"));
    for bytes in [b"a\0b".as_slice(), b"\xff\xfe", b"\x89PNG\r\n"] {
        assert!(told(bytes, Some("bot.py")).contains("neither an archive nor UTF-8 text"));
    }
    assert!(told(b"print(1)", None).starts_with("a single source file needs a name"));
    for name in ["../bot.py", "a b.py", "-x.py", ".py", "bot;rm.py", "", "a\n.py", "/bot.py"] {
        assert!(told(b"print(1)", Some(name)).contains("invalid source file name"), "{name}");
    }
    for name in ["bot", "bot.txt", "bot.zip", "bot.toml", "bot.py.exe"] {
        let told = told(b"print(1)", Some(name));
        assert!(told.starts_with(&format!("cannot tell the language of `{name}`: use .py, .js")));
    }
    assert!(told(&gz(b"print(1)"), Some("bot.py.gz")).contains("damaged or truncated"));
}

#[test]
fn an_archive_without_a_manifest() {
    let expected = "no bot.toml in the archive: put it at the top level or in the single folder";
    let cases = [
        vec![],
        vec![stored("bot.py", b"1")],
        vec![stored("BOT.toml", b"1")],
        vec![stored("a/bot.toml", b"1"), stored("b/x", b"1")],
        vec![stored("a/b/bot.toml", b"1")],
        vec![stored("bot.toml/x", b"1")],
    ];
    for entries in cases {
        assert_eq!(refusal(&zip(&entries), None), expected);
    }
    assert_eq!(refusal(&gz(&tar(|_| ())), None), expected);
}

#[test]
fn a_hundred_thousand_files_are_not_even_looked_at() {
    let folder = TempDir::new().expect("a folder");
    // As many as a zip can have without extensions, within the usual bounds.
    let many: Vec<Entry> = (0..65_000).map(|it| stored(format!("f{it}"), b"")).collect();
    let upload = Upload { content: Cursor::new(zip(&many)), file: None, bot: "anna" };
    let problem = unpack(upload, folder.path(), UploadBounds::DEFAULT).expect_err("too many");
    assert!(problem.to_string().contains("more than 2000 files and folders"), "{problem}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
