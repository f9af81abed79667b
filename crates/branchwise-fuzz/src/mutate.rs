//! Small changes to files, both likely and unlikely ones. Text is changed byte by byte; binary formats are
//! mostly changed in their lengths, offsets and counts.

use crate::dice::Dice;
use crate::seeds::{self, Seed, Shape};
use crate::{arrow, parquet, thrift};

/// Words that readers may handle wrongly.
const WORDS: [&str; 39] = [
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
    "1e2147483647",
    "-1e-2147483648",
    "1e99999999999999999999",
];

/// The maximum length of a mutated file, in bytes.
const MOST: usize = 1 << 16;

/// Numbers that are rarely valid as lengths, offsets and counts.
const EDGES: [i64; 24] = [
    0,
    1,
    2,
    -1,
    -2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    1 << 16,
    1 << 20,
    1 << 24,
    1 << 28,
    i32::MAX as i64,
    i32::MIN as i64,
    1 << 31,
    u32::MAX as i64,
    1 << 32,
    1 << 40,
    1 << 60,
    i64::MAX - 1,
    i64::MAX,
    i64::MIN,
];

/// Change a seed; pieces may be taken from `other`.
pub fn mutate(seed: &Seed, other: &Seed, dice: &mut Dice) -> Vec<u8> {
    let is_structural = !dice.one_in(4);
    match seed.shape {
        Shape::Arrow if is_structural => mutate_arrow(&seed.bytes, dice),
        Shape::Parquet if is_structural => mutate_parquet(&seed.bytes, dice),
        Shape::Gzip if is_structural => mutate_gzip(&seed.bytes, other, dice),
        _ => mutate_bytes(&seed.bytes, &other.bytes, dice),
    }
}

/// Change `bytes` in one to six places.
fn mutate_bytes(bytes: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + dice.below(6) {
        change(&mut bytes, other, dice);
        bytes.truncate(MOST);
    }
    bytes
}

/// Change one or two numbers where lengths, offsets and counts are.
fn mutate_arrow(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + dice.below(2) {
        let places = arrow::places(&bytes);
        if places.is_empty() {
            change_integer(&mut bytes, dice);
        } else {
            let place = dice.pick(&places).clone();
            change_integer(&mut bytes[place], dice);
        }
    }
    bytes
}

/// Change one or two numbers of the metadata, or a page.
fn mutate_parquet(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + dice.below(2) {
        match parquet::mutate(&bytes, dice) {
            Some(changed) => bytes = changed,
            None => change_byte(&mut bytes, dice),
        }
    }
    bytes
}

/// Change the uncompressed data and compress it again, sometimes in two parts.
fn mutate_gzip(bytes: &[u8], other: &Seed, dice: &mut Dice) -> Vec<u8> {
    let text = seeds::gunzip(bytes);
    let text = mutate_bytes(&text, &seeds::gunzip(&other.bytes), dice);
    let cut = if dice.one_in(3) { dice.below(text.len() + 1) } else { text.len() };
    let mut packed = seeds::gzip(&text[..cut]);
    if cut < text.len() {
        packed.extend(seeds::gzip(&text[cut..]));
    }
    if dice.one_in(4) {
        change_byte(&mut packed, dice);
    }
    packed
}

/// A wrong value to replace this number.
pub fn edge(number: i64, dice: &mut Dice) -> i64 {
    match dice.below(8) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.wrapping_mul(2),
        3 => number ^ (1 << dice.below(64)),
        _ => *dice.pick(&EDGES),
    }
}

/// Replace an aligned number of 2, 4 or 8 bytes.
pub fn change_integer(bytes: &mut [u8], dice: &mut Dice) {
    let width = *dice.pick(&[2, 4, 8, 8]);
    let n_places = bytes.len() / width;
    if n_places == 0 {
        return bytes.iter_mut().for_each(|byte| *byte = dice.roll() as u8);
    }
    let start = dice.below(n_places) * width;
    let place = &mut bytes[start..start + width];
    let mut word = [0; 8];
    word[..width].copy_from_slice(place);
    let spare = 64 - 8 * width as u32;
    let number = i64::from_le_bytes(word) << spare >> spare;
    place.copy_from_slice(&edge(number, dice).to_le_bytes()[..width]);
}

/// Replace a variable-length number (seven bits per byte), often one of the first, which are headers.
pub fn change_varint(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let most = if dice.one_in(2) { bytes.len().min(12) } else { bytes.len() };
    if most == 0 {
        return;
    }
    let start = dice.below(most);
    let length = bytes[start..].iter().take_while(|&&byte| byte & 0x80 != 0).count() + 1;
    let end = (start + length).min(bytes.len());
    let digits = bytes[start..end].iter().rev();
    let number = digits.fold(0i64, |number, &byte| number << 7 | i64::from(byte & 0x7f));
    let mut new = Vec::new();
    thrift::unsigned(edge(number, dice) as u64, &mut new);
    bytes.splice(start..end, new);
}

/// Replace one byte.
pub fn change_byte(bytes: &mut [u8], dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let place = dice.below(bytes.len());
    bytes[place] = match dice.below(3) {
        0 => bytes[place] ^ 1 << dice.below(8),
        1 => *dice.pick(&[0, 1, 0x7f, 0x80, 0xff]),
        _ => dice.roll() as u8,
    };
}

fn change(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let place = dice.below(bytes.len() + 1);
    let end = (place + 1 + dice.below(16)).min(bytes.len());
    match dice.below(11) {
        0..3 => change_byte(bytes, dice),
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

/// Swap two lines, or repeat one.
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

/// Replace a run of digits by another number.
fn swap_number(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = *dice.pick(&starts);
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if dice.one_in(2) {
        let digits = std::str::from_utf8(&bytes[start..start + length]).unwrap_or_default();
        let number = edge(digits.parse().unwrap_or_default(), dice).to_string();
        bytes.splice(start..start + length, number.into_bytes());
        return;
    }
    let word = dice.pick(&WORDS).as_bytes();
    bytes.splice(start..start + length, word.iter().copied());
}
