package dev.cleave.serial;

import java.io.InvalidObjectException;
import java.io.ObjectInputValidation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers replacements and checks that the hooks of classes have asked for while one message is written or read. */
final class MessageHooks {

    private @Nullable Map<Object, Object> replacements; // by the objects that they replace
    private List<Validation> validations = List.of(); // when all is read

    /** A check that an object asks for when all objects around it are complete. */
    private record Validation(ObjectInputValidation check, int priority) {}

    /** Forgets all. */
    void clear() {
        replacements = null;
        validations = List.of();
    }

    /** Returns what travels in place of an object, which is the same each time; null if the object itself does. */
    @Nullable
    Object replacement(Object object) {
        return replacements == null ? null : replacements.get(object);
    }

    /** Runs {@code writeReplace} of an object, and of what it returns, until that is of the same class. */
    @Nullable
    Object replace(Object object) {
        Object next = object;
        Class<?> before = null;
        while (next != null && next.getClass() != before) { // as the JDK does
            before = next.getClass();
            next = Replacing.of(before).replaced(next);
        }
        if (next != null) {
            Map<Object, Object> known = replacements;
            if (known == null) {
                known = new IdentityHashMap<>();
                replacements = known;
            }
            known.put(object, next);
        }
        return next;
    }

    /** Runs a check when the whole value has been read; higher priorities first. */
    void validates(ObjectInputValidation check, int priority) {
        if (validations.isEmpty()) {
            validations = new ArrayList<>();
        }
        validations.add(new Validation(check, priority));
    }

    /** Runs the checks. */
    void validate() {
        List<Validation> all = validations;
        validations = List.of();
        all.sort(Comparator.comparingInt(Validation::priority).reversed());
        for (Validation each : all) {
            try {
                each.check().validateObject();
            } catch (InvalidObjectException e) {
                throw ProgramCode.failed(
                        each.check().getClass().getName() + ".validateObject", e, SerialException.Reason.MALFORMED);
            }
        }
    }

    boolean hasValidations() {
        return !validations.isEmpty();
    }
}
