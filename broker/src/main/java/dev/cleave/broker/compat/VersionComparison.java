package dev.cleave.broker.compat;

import dev.cleave.broker.compat.Difference.Pair;
import dev.cleave.serial.FieldTypes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Finds what breaks when two versions of a program call each other. */
public final class VersionComparison {

    private static final List<String> REPEATABLE =
            List.of("Ldev/cleave/Idempotent;", "Ldev/cleave/ReadOnly;", "Ldev/cleave/Pure;");
    private static final String ONE_WAY = "Ldev/cleave/OneWay;";
    private static final String SAME_VERSION = "Ldev/cleave/SameVersion;";

    private final Program before;
    private final Program after;
    private final Set<Difference> found = new LinkedHashSet<>();

    private VersionComparison(Program before, Program after) {
        this.before = before;
        this.after = after;
    }

    /** The differences between two versions, those of interfaces first. */
    public static List<Difference> of(Program before, Program after) {
        VersionComparison comparison = new VersionComparison(before, after);
        comparison.interfaces();
        return new ArrayList<>(comparison.found);
    }

    private void interfaces() {
        Map<String, ClassFile> earlier = before.remote();
        Map<String, ClassFile> later = after.remote();
        Set<ClassFile.Method> called = new LinkedHashSet<>();
        Set<ClassFile.Method> calling = new LinkedHashSet<>();
        earlier.forEach((name, type) -> {
            ClassFile other = later.get(name);
            if (other == null) {
                breaks(Pair.OLD_CLIENT, dotted(name), "the interface is gone: its services cannot be called");
            } else {
                methods(type, other);
                called.addAll(before.methods(type).values());
                calling.addAll(after.methods(other).values());
            }
        });
        later.keySet().stream()
                .filter(name -> !earlier.containsKey(name))
                .forEach(name -> notes(Pair.NEW_CLIENT, dotted(name), "new interface: deploy its servers first"));
        values(called, calling, true);
        values(called, calling, false);
    }

    private void methods(ClassFile earlier, ClassFile later) {
        Map<String, ClassFile.Method> old = before.methods(earlier);
        Map<String, ClassFile.Method> now = after.methods(later);
        old.forEach((key, method) -> {
            String where = where(earlier, method);
            ClassFile.Method other = now.get(key);
            if (other == null) {
                breaks(
                        Pair.OLD_CLIENT,
                        where,
                        "the method is gone" + others(later, now.values(), method)
                                + ": calls fail with NoSuchMethodOnServerException (keep it until all clients are new)");
                return;
            }
            style(where, earlier, method, later, other);
            thrown(where, method, other);
        });
        now.forEach((key, method) -> {
            if (!old.containsKey(key)) {
                notes(
                        Pair.NEW_CLIENT,
                        where(later, method),
                        "new method: old servers answer with"
                                + " NoSuchMethodOnServerException (deploy servers first)");
            }
        });
    }

    private static String others(ClassFile type, Collection<ClassFile.Method> methods, ClassFile.Method gone) {
        List<String> same = methods.stream()
                .filter(m -> m.name.equals(gone.name))
                .map(m -> where(type, m))
                .toList();
        return same.isEmpty() ? "" : ", there is " + String.join(", ", same);
    }

    private void style(String where, ClassFile earlier, ClassFile.Method old, ClassFile later, ClassFile.Method now) {
        boolean was = REPEATABLE.stream().anyMatch(a -> has(earlier, old, a));
        boolean is = REPEATABLE.stream().anyMatch(a -> has(later, now, a));
        if (was && !is) {
            breaks(
                    Pair.OLD_CLIENT,
                    where,
                    "no longer @Idempotent, @ReadOnly or @Pure: old clients still send it again,"
                            + " so it may be executed twice");
        } else if (is && !was) {
            breaks(
                    Pair.NEW_CLIENT,
                    where,
                    "now @Idempotent, @ReadOnly or @Pure: new clients send it again, so old"
                            + " servers may execute it twice");
        }
        for (String each : REPEATABLE.subList(1, REPEATABLE.size())) {
            if (has(earlier, old, each) && !has(later, now, each) && is) {
                breaks(
                        Pair.OLD_CLIENT,
                        where,
                        "no longer " + annotation(each)
                                + ": old clients still call it ahead of the program, and may drop its result");
            }
        }
        if (has(earlier, old, ONE_WAY) != has(later, now, ONE_WAY)) {
            notes(
                    has(earlier, old, ONE_WAY) ? Pair.OLD_CLIENT : Pair.NEW_CLIENT,
                    where,
                    "@OneWay in this version of the client alone: its calls do not tell failures");
        }
    }

    private static String annotation(String descriptor) {
        return "@" + descriptor.substring(descriptor.lastIndexOf('/') + 1, descriptor.length() - 1);
    }

    private static boolean has(ClassFile type, ClassFile.Method method, String annotation) {
        return type.annotations.contains(annotation) || method.annotations.contains(annotation);
    }

    private void thrown(String where, ClassFile.Method old, ClassFile.Method now) {
        for (String each : now.thrown) {
            if (old.thrown.stream().noneMatch(after.supertypes(each)::contains) && !each.startsWith("java/")) {
                breaks(
                        Pair.OLD_CLIENT,
                        where,
                        "throws " + dotted(each)
                                + ", which old clients do not declare: it arrives as RemoteFailureException");
            }
        }
    }

    /** Compares the values of parameters, which clients write, or those of results, which servers write. */
    private void values(Set<ClassFile.Method> called, Set<ClassFile.Method> calling, boolean ofParameters) {
        Set<ClassFile> old = before.values(called, ofParameters);
        Set<String> compared = new HashSet<>();
        for (ClassFile type : old) {
            ClassFile other = after.get(type.name);
            if (other != null && compared.add(type.name)) {
                compare(type, other, ofParameters);
            }
        }
        Set<String> names = new HashSet<>();
        old.forEach(type -> names.add(type.name));
        for (ClassFile type : after.values(calling, ofParameters)) {
            for (String each : type.permitted) {
                ClassFile earlier = before.get(type.name);
                if (earlier != null && names.contains(type.name) && !earlier.permitted.contains(each)) {
                    breaks(
                            ofParameters ? Pair.NEW_CLIENT : Pair.OLD_CLIENT,
                            dotted(each),
                            "a new subtype of " + dotted(type.name) + ": refused where it is sent to the old version");
                }
            }
        }
    }

    private void compare(ClassFile old, ClassFile now, boolean ofParameters) {
        // written by the old version and read by the new one, and the other way round
        Pair forward = ofParameters ? Pair.OLD_CLIENT : Pair.NEW_CLIENT;
        Pair backward = ofParameters ? Pair.NEW_CLIENT : Pair.OLD_CLIENT;
        if (old.isEnum() && now.isEnum()) {
            constants(old, now, forward, "gone");
            constants(now, old, backward, "new");
        } else if (isClass(old) && isClass(now)) {
            String why = unlike(old, now);
            if (why != null) {
                breaks(forward, dotted(old.name), why);
                breaks(backward, dotted(old.name), why);
                return;
            }
            fields(before, old, after, now, forward, "gone");
            fields(after, now, before, old, backward, "new");
        } else if (old.isEnum() != now.isEnum()) {
            breaks(forward, dotted(old.name), "an enum in one version and not in the other: refused");
            breaks(backward, dotted(old.name), "an enum in one version and not in the other: refused");
        }
    }

    private static boolean isClass(ClassFile type) {
        return !type.is(Opcodes.ACC_INTERFACE) && !type.isEnum();
    }

    private @Nullable String unlike(ClassFile old, ClassFile now) {
        if (!old.hooks().equals(now.hooks())) {
            Set<String> hooks = new HashSet<>(old.hooks());
            hooks.addAll(now.hooks());
            hooks.removeIf(h -> old.hooks().contains(h) && now.hooks().contains(h));
            if (old.hooks().isEmpty() != now.hooks().isEmpty() || hooks.contains("Externalizable")) {
                return String.join(", ", hooks) + " in one version alone: refused";
            }
        }
        if (old.version != null
                && now.version != null
                && !Objects.equals(old.version, now.version)
                && !old.isRecord()
                && !now.isRecord()) {
            return "serialVersionUID is " + old.version + " and then " + now.version + ": refused (keep it)";
        }
        boolean isExact = old.annotations.contains(SAME_VERSION) || now.annotations.contains(SAME_VERSION);
        if (isExact && !shape(before.fields(old)).equals(shape(after.fields(now)))) {
            return "its fields differ, and it is marked @SameVersion: refused";
        }
        return null;
    }

    private static Set<String> shape(Map<String, ClassFile.Field> fields) {
        Set<String> shape = new HashSet<>();
        fields.values().forEach(f -> shape.add(f.name() + ' ' + f.descriptor()));
        return shape;
    }

    private void constants(ClassFile writer, ClassFile reader, Pair pair, String state) {
        Set<String> known = new HashSet<>();
        reader.fields.stream().filter(ClassFile.Field::isConstant).forEach(f -> known.add(f.name()));
        writer.fields.stream()
                .filter(f -> f.isConstant() && !known.contains(f.name()))
                .forEach(f -> breaks(
                        pair,
                        dotted(writer.name) + "." + f.name(),
                        "the constant is " + state
                                + ": refused when it is sent ("
                                + (state.equals("new")
                                        ? "send it when all processes are new"
                                        : "keep it until all processes are new")
                                + ")"));
    }

    private void fields(Program writing, ClassFile writer, Program reading, ClassFile reader, Pair pair, String state) {
        Map<String, ClassFile.Field> taken = reading.fields(reader);
        writing.fields(writer).forEach((name, sent) -> {
            ClassFile.Field field = taken.get(name);
            String where = dotted(writer.name) + "." + name;
            if (field == null) {
                notes(pair, where, "the field is " + state + ": its value is dropped at the receiver");
            } else if (!FieldTypes.fits(sent.descriptor(), field.descriptor())) {
                breaks(pair, where, text(sent) + " is sent and " + text(field) + " expected: refused");
            } else if (!sent.descriptor().equals(field.descriptor()) && narrows(writing, sent, field)) {
                breaks(
                        pair,
                        where,
                        text(sent) + " is sent and " + text(field) + " expected: values of other classes are refused");
            }
        });
        taken.forEach((name, field) -> {
            if (!writing.fields(writer).containsKey(name)) {
                notes(
                        pair,
                        dotted(reader.name) + "." + name,
                        "the field is not sent: it is "
                                + (Type.getType(field.descriptor()).getSort() >= Type.ARRAY ? "null" : "0 or false")
                                + (reader.isRecord() ? "" : ", or what the constructor without parameters sets"));
            }
        });
    }

    /** Whether a receiver's type is not a supertype of the sender's. */
    private static boolean narrows(Program writing, ClassFile.Field sent, ClassFile.Field taken) {
        Type from = Type.getType(sent.descriptor());
        Type to = Type.getType(taken.descriptor());
        if (to.getInternalName().equals("java/lang/Object")
                || from.getSort() < Type.ARRAY
                || to.getSort() < Type.ARRAY) {
            return false;
        }
        if (writing.supertypes(from.getInternalName()).contains(to.getInternalName())) {
            return false;
        }
        try { // classes of the JDK, which are not initialised
            ClassLoader jdk = ClassLoader.getPlatformClassLoader();
            return !Class.forName(to.getClassName(), false, jdk)
                    .isAssignableFrom(Class.forName(from.getClassName(), false, jdk));
        } catch (ClassNotFoundException e) {
            return true;
        }
    }

    private static String text(ClassFile.Field field) {
        return Type.getType(field.descriptor()).getClassName();
    }

    private static String where(ClassFile type, ClassFile.Method method) {
        List<String> parameters = new ArrayList<>();
        for (Type each : Type.getArgumentTypes(method.descriptor)) {
            parameters.add(simple(each.getClassName()));
        }
        return dotted(type.name) + "." + method.name + "(" + String.join(", ", parameters) + "): "
                + simple(Type.getReturnType(method.descriptor).getClassName());
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String dotted(String name) {
        return name.replace('/', '.');
    }

    private void breaks(Pair pair, String where, String what) {
        found.add(new Difference(pair, true, where, what));
    }

    private void notes(Pair pair, String where, String what) {
        found.add(new Difference(pair, false, where, what));
    }
}
