//! Bytes are changed a little: some of what goes wrong with files, and some of what never does.

use crate::dice::Dice;

/// Words that readers may stumble over.
const WORDS: [&str; 36] = [
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    " ",
    "",
    "NA",
    "NaN",
    "null",
    "inf",
    "-0",
    "1e999",
    "-1e-999",
    "0x1f",
    "007",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "0.00000000000000000000000000001",
    "2024-02-30",
    "9999-12-31T23:59:60Z",
    "\u{feff}",
    "\u{202e}",
    "é",
    "日本",
    "\0",
    "true",
    "[]",
    "{}",
    "-1",
    "4294967296",
    "1e18",
    "999999999999999999999999e-20",
];

/// The longest that a mutated file becomes.
const MOST: usize = 1 << 16;

/// Change `bytes` in one to six places; `other` lends pieces.
pub fn mutate(bytes: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + dice.below(6) {
        change(&mut bytes, other, dice);
        bytes.truncate(MOST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let place = dice.below(bytes.len() + 1);
    let end = (place + 1 + dice.below(16)).min(bytes.len());
    match dice.below(11) {
        0 if place < bytes.len() => bytes[place] ^= 1 << dice.below(8),
        1 if place < bytes.len() => bytes[place] = *dice.pick(&[0, 1, 0x7f, 0x80, 0xff]),
        2 if place < bytes.len() => bytes[place] = dice.roll() as u8,
        3 => bytes.truncate(place),
        4 if place < end => drop(bytes.drain(place..end)),
        5 if place < end => {
            let piece = bytes[place..end].to_vec();
            let times = 1 + dice.below(40);
            let at = dice.below(bytes.len() + 1);
            bytes.splice(at..at, piece.repeat(times));
        }
        6 if !other.is_empty() => {
            let start = dice.below(other.len());
            let stop = (start + 1 + dice.below(64)).min(other.len());
            bytes.splice(place..place, other[start..stop].iter().copied());
        }
        7 => swap_lines(bytes, dice),
        8 => swap_number(bytes, dice),
        _ => {
            let word = dice.pick(&WORDS).as_bytes();
            let end = if dice.one_in(2) { place.max(end.min(place + 4)) } else { place };
            bytes.splice(place..end, word.iter().copied());
        }
    }
}

/// Two lines change places, or one comes twice.
fn swap_lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    if dice.one_in(2) {
        lines.swap(a, b)
    } else {
        lines[a] = lines[b].clone()
    }
    *bytes = lines.join(&b'\n');
}

/// A run of digits becomes another number.
fn swap_number(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = *dice.pick(&starts);
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = dice.pick(&WORDS).as_bytes();
    bytes.splice(start..start + length, word.iter().copied());
}
