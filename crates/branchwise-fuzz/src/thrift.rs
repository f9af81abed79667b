//! Structures in Thrift's compact protocol as trees, so that any number in them can be changed and
//! everything else stays readable.

/// A value of a structure.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false, which its type byte tells.
    Bool(bool),
    /// A whole number, with its type (3 to 6).
    Number(u8, i64),
    /// Eight bytes.
    Double([u8; 8]),
    /// Any bytes.
    Binary(Vec<u8>),
    /// Values of one type, after a length that may be wrong.
    List {
        /// Their type.
        kind: u8,
        /// The length as written, which may be wrong.
        length: u64,
        /// The values.
        values: Vec<Value>,
    },
    /// Fields with their numbers.
    Struct(Vec<(i16, Value)>),
}

const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Value {
    /// Read a structure. Returns it and its number of bytes.
    pub fn read(bytes: &[u8]) -> Option<(Value, usize)> {
        let mut reader = Reader { bytes, at: 0 };
        let value = reader.value(STRUCT)?;
        Some((value, reader.at))
    }

    /// Write a structure.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Value::Bool(_) => {}
            Value::Number(BYTE, number) => out.push(*number as u8),
            Value::Number(_, number) => unsigned(((number << 1) ^ (number >> 63)) as u64, out),
            Value::Double(bytes) => out.extend(bytes),
            Value::Binary(bytes) => {
                unsigned(bytes.len() as u64, out);
                out.extend(bytes);
            }
            Value::List { kind, length, values } => {
                out.push(if *length < 15 { (*length as u8) << 4 | kind } else { 0xf0 | kind });
                if *length >= 15 {
                    unsigned(*length, out);
                }
                values.iter().for_each(|value| value.write(out));
            }
            Value::Struct(fields) => {
                for (id, value) in fields {
                    out.push(value.kind());
                    unsigned(((*id << 1) ^ (*id >> 15)) as u16 as u64, out);
                    value.write(out);
                }
                out.push(0);
            }
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Value::Bool(is_true) => 2 - u8::from(*is_true),
            Value::Number(kind, _) => *kind,
            Value::Double(_) => DOUBLE,
            Value::Binary(_) => BINARY,
            Value::List { .. } => LIST,
            Value::Struct(_) => STRUCT,
        }
    }

    /// The field with this number.
    pub fn field(&mut self, id: i16) -> Option<&mut Value> {
        let Value::Struct(fields) = self else { return None };
        fields.iter_mut().find(|(other, _)| *other == id).map(|(_, value)| value)
    }

    /// The values of a list.
    pub fn elements(&mut self) -> &mut [Value] {
        match self {
            Value::List { values, .. } => values,
            _ => &mut [],
        }
    }

    /// A whole number.
    pub fn number(&mut self) -> Option<&mut i64> {
        match self {
            Value::Number(_, number) => Some(number),
            _ => None,
        }
    }

    /// How many numbers and lengths of lists it contains.
    pub fn n_numbers(&mut self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }

    /// Change the number or length at this position among them.
    pub fn change(&mut self, position: usize, change: impl FnOnce(i64) -> i64) {
        let (mut n, mut change) = (0, Some(change));
        self.visit(&mut |number| {
            if n == position
                && let Some(change) = change.take()
            {
                *number = change(*number);
            }
            n += 1;
        });
    }

    fn visit(&mut self, see: &mut dyn FnMut(&mut i64)) {
        match self {
            Value::Number(_, number) => see(number),
            Value::List { length, values, .. } => {
                let mut number = *length as i64;
                see(&mut number);
                *length = number as u64;
                values.iter_mut().for_each(|value| value.visit(see));
            }
            Value::Struct(fields) => fields.iter_mut().for_each(|(_, value)| value.visit(see)),
            _ => {}
        }
    }
}

/// Write a variable-length number: seven bits per byte, the lowest first.
pub fn unsigned(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(taken)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn value(&mut self, kind: u8) -> Option<Value> {
        Some(match kind {
            1 | 2 => Value::Bool(kind == 1),
            BYTE => Value::Number(kind, i64::from(self.take(1)?[0])),
            4..=6 => Value::Number(kind, self.signed()?),
            DOUBLE => Value::Double(self.take(8)?.try_into().ok()?),
            BINARY => {
                let length = self.unsigned()?;
                Value::Binary(self.take(length as usize)?.to_vec())
            }
            LIST => {
                let head = self.take(1)?[0];
                let short = u64::from(head >> 4);
                let length = if short == 15 { self.unsigned()? } else { short };
                let kind = head & 0xf;
                let values: Option<Vec<Value>> = (0..length).map(|_| self.value(kind)).collect();
                Value::List { kind, length, values: values? }
            }
            STRUCT => Value::Struct(self.fields()?),
            _ => return None,
        })
    }

    fn fields(&mut self) -> Option<Vec<(i16, Value)>> {
        let (mut fields, mut id) = (Vec::new(), 0i16);
        loop {
            let head = self.take(1)?[0];
            if head & 0xf == 0 {
                return Some(fields);
            }
            id = match head >> 4 {
                0 => i16::try_from(self.signed()?).ok()?,
                step => id.checked_add(step.into())?,
            };
            fields.push((id, self.value(head & 0xf)?));
        }
    }
}
