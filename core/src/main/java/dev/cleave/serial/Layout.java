package dev.cleave.serial;

import java.util.ArrayList;
import java.util.List;

/**
 * How objects of a class are written: its kind, and the names and types of its fields or the names of its constants. A
 * class is announced with its layout, so that two sides with different versions of a class can match them by name.
 *
 * <pre>
 *   name of the class # kind [!] serialVersionUID ; body
 *   body of an enum:     constant ; ...
 *   body of a class:     field / descriptor ...                   superclasses first, in the order of the names
 *   body of a stream:    [ class ; w or - field / descriptor ...  for each serializable class
 * </pre>
 *
 * @param kind one of the constants
 * @param isExact whether the other side must have the same layout
 * @param version the {@code serialVersionUID} that the class declares; empty if it declares none
 * @param levels the fields, by class if the class or a superclass controls its serialization
 * @param names the constants of an enum, or the name of a codec
 */
record Layout(char kind, boolean isExact, String version, List<Level> levels, List<String> names) {

    static final char RECORD = 'r';
    static final char CLASS = 'c';
    static final char THROWABLE = 't';
    static final char ENUM = 'e';

    /** The kind of classes with {@code writeObject}, {@code readObject} or {@code serialPersistentFields}. */
    static final char STREAM = 's';

    static final char EXTERNALIZABLE = 'x';

    /** The kind of classes that a {@link dev.cleave.ValueCodec} writes. */
    static final char CODEC = 'v';

    /** The kind of layouts that are too long to be announced: two of them are equal or not. */
    static final char HASHED = 'h';

    /** A field as it is written. */
    record Part(String name, String descriptor) {

        /** How its values are written. */
        ValueKind kind() {
            return ValueKind.ofDescriptor(descriptor);
        }

        /** The name of its type as a Java program would declare it. */
        String type() {
            return descriptor.startsWith("L")
                    ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
                    : org.objectweb.asm.Type.getType(descriptor).getClassName();
        }
    }

    /**
     * The fields of one class.
     *
     * @param type the name of the class; empty if the fields of all classes are together
     * @param isWritten whether {@code writeObject} of the class wrote the object
     * @param parts the fields
     */
    record Level(String type, boolean isWritten, List<Part> parts) {}

    /** The text of the layout. */
    String text() {
        StringBuilder text = new StringBuilder().append(kind);
        text.append(isExact ? "!" : "").append(version).append(';');
        names.forEach(name -> text.append(name).append(';'));
        for (Level level : levels) {
            if (!level.type().isEmpty()) {
                text.append('[').append(level.type()).append(';').append(level.isWritten() ? 'w' : '-');
            }
            level.parts().forEach(p -> text.append(p.name()).append('/').append(p.descriptor()));
        }
        return text.toString();
    }

    /**
     * Reads the text of a layout.
     *
     * @throws SerialException if it is not one
     */
    static Layout parse(String text) {
        try {
            return new Parser(text).layout();
        } catch (IndexOutOfBoundsException e) {
            throw SerialException.malformed("layout of a class: " + text + " (expected: one of this protocol)");
        }
    }

    /** Reads a text from its begin to its end; throws {@link IndexOutOfBoundsException} if it is not well formed. */
    private static final class Parser {

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Layout layout() {
            char kind = text.charAt(at++);
            boolean isExact = text.charAt(at) == '!';
            at += isExact ? 1 : 0;
            String version = upTo(';');
            if (kind == ENUM || kind == CODEC || kind == HASHED) {
                List<String> names = new ArrayList<>();
                while (at < text.length()) {
                    names.add(upTo(';'));
                }
                return new Layout(kind, isExact, version, List.of(), names);
            }
            List<Level> levels = new ArrayList<>();
            if (at == text.length() || text.charAt(at) != '[') {
                levels.add(new Level("", false, parts()));
            }
            while (at < text.length()) {
                at++;
                String type = upTo(';');
                boolean isWritten = text.charAt(at++) == 'w';
                levels.add(new Level(type, isWritten, parts()));
            }
            return new Layout(kind, isExact, version, levels, List.of());
        }

        private List<Part> parts() {
            List<Part> parts = new ArrayList<>();
            while (at < text.length() && text.charAt(at) != '[') {
                String name = upTo('/');
                int from = at;
                while (text.charAt(at) == '[') {
                    at++;
                }
                if (text.charAt(at++) == 'L') {
                    upTo(';');
                } else if ("ZBCSIJFD".indexOf(text.charAt(at - 1)) < 0) {
                    throw new IndexOutOfBoundsException(at);
                }
                parts.add(new Part(name, text.substring(from, at)));
            }
            return parts;
        }

        private String upTo(char end) {
            int from = at;
            while (text.charAt(at) != end) {
                at++;
            }
            return text.substring(from, at++);
        }
    }
}
