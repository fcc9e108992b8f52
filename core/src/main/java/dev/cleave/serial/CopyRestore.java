package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.serial.ArgumentGraph.Form;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call that are restored: at the server the copies on which the method works, at the caller the
 * objects of the program. Both have the same graph, in the same order.
 *
 * <p>An answer is a list: the digest of the graph; the changed objects by index, with what has changed; the result; and
 * the objects of the graph to which new objects lead, so that the caller's own take the place of their copies.
 *
 * <p>Of one thread at a time.
 */
public final class CopyRestore {

    private static final int RESULT = -1;

    private final ArgumentGraph graph;
    private final List<@Nullable Object> before = new ArrayList<>(); // at the server: contents when the call began

    private CopyRestore(ArgumentGraph graph) {
        this.graph = graph;
    }

    /**
     * Remembers the objects of a caller.
     *
     * @param outs the arguments for {@code @Out} parameters
     * @param inOuts the arguments for {@code @InOut} parameters
     * @throws IllegalArgumentException if an array for {@code @Out} is given twice, or an argument cannot be restored
     */
    public static CopyRestore ofCaller(List<@Nullable Object> outs, List<@Nullable Object> inOuts) {
        for (Object argument : inOuts) {
            if (argument != null && ArgumentGraph.formOf(argument) == Form.OPAQUE) {
                throw new IllegalArgumentException(argument.getClass().getName()
                        + " cannot be restored for an @InOut parameter (expected: an array, a collection, or an object"
                        + " of the program whose fields travel)");
            }
        }
        return new CopyRestore(new ArgumentGraph(outs, inOuts));
    }

    /** Remembers the contents of the arguments of a method that is about to run. */
    public static CopyRestore ofServer(List<@Nullable Object> outs, List<@Nullable Object> inOuts) {
        CopyRestore made = new CopyRestore(new ArgumentGraph(outs, inOuts));
        List<Object> objects = made.graph.objects();
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            Form form = ArgumentGraph.formOf(object);
            if (form == Form.ELEMENTS) {
                made.before.add(i < made.graph.outs() ? null : copy(object)); // null: zeros
            } else {
                made.before.add(form == Form.CONTAINER ? null : ArgumentGraph.contents(object));
            }
        }
        return made;
    }

    /** Returns the answer of a method that has returned: its result, and what it has changed. */
    public Object answer(@Nullable Object result) {
        List<@Nullable Object> answer = new ArrayList<>();
        answer.add(graph.digest());
        Embedded embedded = new Embedded();
        List<Object> objects = graph.objects();
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            Object earlier = before.get(i);
            if (ArgumentGraph.formOf(object) == Form.ELEMENTS) {
                int[] ranges = ArrayChanges.between(earlier == null ? zeros(object) : earlier, object);
                if (ranges.length > 0) {
                    answer.add(i);
                    answer.add(ranges);
                    answer.add(ArrayChanges.gather(object, ranges));
                }
                continue;
            }
            @Nullable Object[] contents = ArgumentGraph.contents(object);
            if (earlier == null || isChanged((@Nullable Object[]) earlier, contents)) {
                add(i, contents, answer, embedded);
            }
        }
        add(RESULT, new @Nullable Object[] {result}, answer, embedded);
        answer.add(embedded.indices());
        answer.add(embedded.objects);
        return answer;
    }

    private void add(int index, @Nullable Object[] contents, List<@Nullable Object> answer, Embedded embedded) {
        int[] places = new int[contents.length];
        List<@Nullable Object> fresh = new ArrayList<>();
        for (int i = 0; i < contents.length; i++) {
            places[i] = graph.indexOf(contents[i]);
            if (places[i] < 0) {
                fresh.add(contents[i]);
                embedded.search(contents[i]);
            }
        }
        answer.add(index);
        answer.add(places);
        answer.add(fresh);
    }

    private static boolean isChanged(@Nullable Object[] before, @Nullable Object[] now) {
        if (before.length != now.length) {
            return true;
        }
        for (int i = 0; i < now.length; i++) {
            Object value = now[i];
            if (value == null ? before[i] != null : !isSame(before[i], value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(@Nullable Object before, Object now) {
        Form form = ArgumentGraph.formOf(now);
        // Boxes of primitive fields are new each time; an opaque object may have changed within.
        return form == Form.VALUE
                ? before == now || now.equals(before) && isComparable(now)
                : form != Form.OPAQUE && before == now;
    }

    /** Whether equal values are interchangeable. */
    private static boolean isComparable(Object value) {
        return value.getClass().getName().startsWith("java.");
    }

    /** The objects of the graph to which new objects lead. */
    private final class Embedded {

        final List<Object> objects = new ArrayList<>();
        private final List<Integer> indices = new ArrayList<>();
        private final Set<Integer> known = new HashSet<>();
        private final Map<Object, Boolean> seen = new IdentityHashMap<>();

        void search(@Nullable Object root) {
            Deque<Object> open = new ArrayDeque<>();
            visit(root, open);
            while (!open.isEmpty()) {
                for (Object part : ArgumentGraph.contents(open.remove())) {
                    visit(part, open);
                }
            }
        }

        private void visit(@Nullable Object part, Deque<Object> open) {
            int index = graph.indexOf(part);
            if (index >= 0 && part != null) {
                if (known.add(index)) {
                    indices.add(index);
                    objects.add(part);
                }
            } else if (part != null && hasParts(part) && seen.put(part, true) == null) {
                open.add(part);
            }
        }

        int[] indices() {
            return indices.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    private static boolean hasParts(Object object) {
        Form form = ArgumentGraph.formOf(object);
        return form != Form.ELEMENTS && form != Form.VALUE && form != Form.OPAQUE;
    }

    /**
     * Changes the objects of the caller as an answer says.
     *
     * @return the result of the method
     * @throws SerialException if the answer does not fit; nothing is changed then
     */
    public @Nullable Object restore(@Nullable Object answer) {
        try {
            return restore(new Answer((List<?>) requireNonNull(answer)));
        } catch (IndexOutOfBoundsException
                | ClassCastException
                | NullPointerException
                | ArrayStoreException
                | IllegalArgumentException e) {
            throw new SerialException(SerialException.Reason.MALFORMED, "changes of arguments: " + e.getMessage(), e);
        }
    }

    /** An answer as it is read: what is to be done, before any of it is done. */
    private final class Answer {

        final Map<Object, Object> originals = new IdentityHashMap<>(); // by their copies
        final List<Runnable> changes = new ArrayList<>();

        @Nullable
        Object result;

        Answer(List<?> said) {
            if (!said.get(0).equals(graph.digest())) {
                throw SerialException.malformed("the arguments have other parts at the server than here (is a class of"
                        + " theirs in another version, or written by a codec?)");
            }
            int[] embedded = (int[]) said.get(said.size() - 2);
            List<?> copies = (List<?>) said.get(said.size() - 1);
            for (int i = 0; i < embedded.length; i++) {
                originals.put(requireNonNull(copies.get(i)), graph.objects().get(embedded[i]));
            }
            for (int at = 1; at < said.size() - 2; at += 3) {
                int index = (Integer) said.get(at);
                int[] places = (int[]) said.get(at + 1);
                Object target = index == RESULT ? null : graph.objects().get(index);
                if (target != null && ArgumentGraph.formOf(target) == Form.ELEMENTS) {
                    Object elements = requireNonNull(said.get(at + 2));
                    check(target, places, elements);
                    changes.add(() -> ArrayChanges.scatter(elements, places, target));
                    continue;
                }
                @Nullable Object[] contents = contents(places, (List<?>) said.get(at + 2));
                if (target == null) {
                    result = contents[0];
                } else {
                    check(target, contents);
                    changes.add(() -> ArgumentGraph.fill(target, contents));
                }
            }
        }

        private @Nullable Object[] contents(int[] places, List<?> fresh) {
            @Nullable Object[] contents = new @Nullable Object[places.length];
            int next = 0;
            for (int i = 0; i < places.length; i++) {
                contents[i] = places[i] >= 0 ? graph.objects().get(places[i]) : adopted(fresh.get(next++));
            }
            return contents;
        }

        /** Returns a new object, in which originals take the place of copies. */
        private @Nullable Object adopted(@Nullable Object root) {
            if (originals.isEmpty() || root == null || !hasParts(root)) {
                return root;
            }
            Map<Object, Boolean> seen = new IdentityHashMap<>();
            Deque<Object> open = new ArrayDeque<>(List.of(root));
            seen.put(root, true);
            while (!open.isEmpty()) {
                Object object = open.remove();
                @Nullable Object[] parts = ArgumentGraph.contents(object);
                boolean changes = false;
                for (int i = 0; i < parts.length; i++) {
                    Object part = parts[i];
                    Object original = part == null ? null : originals.get(part);
                    if (original != null) {
                        parts[i] = original;
                        changes = true;
                    } else if (part != null && hasParts(part) && seen.put(part, true) == null) {
                        open.add(part);
                    }
                }
                if (changes) {
                    ArgumentGraph.fill(object, parts);
                }
            }
            return root;
        }

        private void check(Object target, int[] ranges, Object elements) {
            int length = Array.getLength(target);
            int total = 0;
            for (int i = 0; i < ranges.length; i += 2) {
                Objects.checkFromIndexSize(ranges[i], ranges[i + 1], length);
                total = Math.addExact(total, ranges[i + 1]);
            }
            if (elements.getClass() != target.getClass() || Array.getLength(elements) != total) {
                throw new IllegalArgumentException("elements of another array");
            }
        }

        private void check(Object target, @Nullable Object[] contents) {
            if (ArgumentGraph.formOf(target) == Form.ARRAY) {
                Class<?> component = target.getClass().getComponentType();
                boolean fits = contents.length == Array.getLength(target)
                        && Arrays.stream(contents).allMatch(each -> each == null || component.isInstance(each));
                if (!fits) {
                    throw new IllegalArgumentException("elements of another array");
                }
            }
        }
    }

    private @Nullable Object restore(Answer answer) {
        for (int i = 0; i < graph.outs(); i++) {
            Object array = graph.objects().get(i);
            if (ArgumentGraph.formOf(array) == Form.ELEMENTS) {
                Object zeros = zeros(array);
                System.arraycopy(zeros, 0, array, 0, Array.getLength(zeros));
            } else if (!array.getClass().getComponentType().isArray()) {
                Arrays.fill((@Nullable Object[]) array, null);
            }
        }
        answer.changes.forEach(Runnable::run);
        return answer.result;
    }

    private static Object zeros(Object like) {
        return Array.newInstance(like.getClass().getComponentType(), Array.getLength(like));
    }

    private static Object copy(Object array) {
        Object copy = zeros(array);
        System.arraycopy(array, 0, copy, 0, Array.getLength(array));
        return copy;
    }
}
