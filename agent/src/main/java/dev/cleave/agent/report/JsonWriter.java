package dev.cleave.agent.report;

import org.jspecify.annotations.Nullable;

/** Writes JSON, indented, in the order of the calls. The code that begins an object or array must end it. */
public final class JsonWriter {

    private final StringBuilder text = new StringBuilder();
    private int depth;
    private boolean isFirst = true;
    private boolean isNamed;

    /** Begins an object. */
    public JsonWriter beginObject() {
        return begin('{');
    }

    /** Ends the object begun last. */
    public JsonWriter endObject() {
        return end('}');
    }

    /** Begins an array. */
    public JsonWriter beginArray() {
        return begin('[');
    }

    /** Ends the array begun last. */
    public JsonWriter endArray() {
        return end(']');
    }

    /** Writes the name of the value that follows. */
    public JsonWriter name(String name) {
        separate();
        quote(name);
        text.append(": ");
        isNamed = true;
        return this;
    }

    /** Writes a text, or null. */
    public JsonWriter value(@Nullable String value) {
        separate();
        if (value == null) {
            text.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** Writes a whole number. */
    public JsonWriter value(long value) {
        separate();
        text.append(value);
        return this;
    }

    /** Writes a number. */
    JsonWriter value(double value) {
        separate();
        text.append(value);
        return this;
    }

    /** Writes true or false. */
    JsonWriter flag(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    /** Writes a line number, or null if it is unknown. */
    JsonWriter line(int line) {
        return line < 0 ? value(null) : value(line);
    }

    @Override
    public String toString() {
        return text + "\n";
    }

    private JsonWriter begin(char bracket) {
        separate();
        text.append(bracket);
        depth++;
        isFirst = true;
        return this;
    }

    private JsonWriter end(char bracket) {
        depth--;
        if (!isFirst) {
            newLine();
        }
        text.append(bracket);
        isFirst = false;
        return this;
    }

    private void separate() {
        if (isNamed) {
            isNamed = false;
            return;
        }
        if (!isFirst) {
            text.append(',');
        }
        if (depth > 0) {
            newLine();
        }
        isFirst = false;
    }

    private void newLine() {
        text.append('\n').append("  ".repeat(depth));
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    boolean isPlain = c >= ' ' && c < 0x7F || c >= 0xA0 && !Character.isSurrogate(c) && c < 0x2028;
                    text.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
                }
            }
        }
        text.append('"');
    }
}
