package dev.cleave.serial;

import java.util.ArrayList;
import java.util.List;

/** Decides whether objects that one version of a class has written can be read by another one. */
final class Versions {

    private Versions() {}

    /**
     * The layout of the other side.
     *
     * @throws SerialException if it cannot be matched with that here
     */
    static Layout matched(String announced, String here) {
        String name = here.substring(0, Math.max(0, here.indexOf('#')));
        Layout own = layout(here);
        Layout other = layout(announced);
        if (own.kind() == Layout.CODEC || other.kind() == Layout.CODEC) {
            throw differs(name, "it is written by " + writer(other) + " there and by " + writer(own) + " here");
        }
        if (own.isExact() || other.isExact()) {
            throw differs(name, first(other, own) + ", and it is marked @SameVersion");
        }
        if (own.kind() == Layout.HASHED || other.kind() == Layout.HASHED) {
            throw differs(name, "it has too many fields or constants to compare");
        }
        boolean bothPlain = isPlain(own) && isPlain(other);
        if (!bothPlain && (own.kind() != other.kind() || isByClass(own) != isByClass(other))) {
            throw differs(name, "it is " + kind(other) + " there and " + kind(own) + " here");
        }
        if (!own.version().isEmpty()
                && !other.version().isEmpty()
                && !own.version().equals(other.version())) {
            throw differs(name, "its serialVersionUID is " + other.version() + " there and " + own.version() + " here");
        }
        return other;
    }

    /** The layout in the text of an announced class. */
    static Layout layout(String announced) {
        int mark = announced.indexOf('#');
        if (mark < 0 || mark + 1 == announced.length()) {
            throw SerialException.malformed("type " + announced + " without a layout");
        }
        return Layout.parse(announced.substring(mark + 1));
    }

    private static boolean isPlain(Layout layout) {
        return layout.kind() == Layout.RECORD || layout.kind() == Layout.CLASS;
    }

    private static boolean isByClass(Layout layout) {
        return layout.levels().stream().anyMatch(level -> !level.type().isEmpty());
    }

    private static String writer(Layout layout) {
        return layout.kind() == Layout.CODEC ? "the codec " + String.join(", ", layout.names()) : "its fields";
    }

    private static String kind(Layout layout) {
        return switch (layout.kind()) {
            case Layout.RECORD -> "a record";
            case Layout.ENUM -> "an enum";
            case Layout.EXTERNALIZABLE -> "Externalizable";
            case Layout.THROWABLE -> isByClass(layout) ? "an exception with writeObject or readObject" : "an exception";
            default -> isByClass(layout) ? "a class with writeObject or readObject" : "a class without them";
        };
    }

    /** The first difference between two layouts. */
    private static String first(Layout other, Layout own) {
        List<String> there = parts(other);
        List<String> here = parts(own);
        for (String each : there) {
            if (!here.contains(each)) {
                return each + " is only there";
            }
        }
        for (String each : here) {
            if (!there.contains(each)) {
                return each + " is only here";
            }
        }
        return "its parts have another order there";
    }

    private static List<String> parts(Layout layout) {
        List<String> parts = new ArrayList<>();
        layout.names().forEach(name -> parts.add("constant " + name));
        layout.levels()
                .forEach(level -> level.parts().forEach(p -> parts.add("field " + p.name() + " of " + p.type())));
        return parts;
    }

    private static SerialException differs(String type, String how) {
        return SerialException.refused("type " + type + " differs on the other side: " + how);
    }
}
