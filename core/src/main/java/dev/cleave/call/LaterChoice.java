package dev.cleave.call;

import dev.cleave.Later;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which parameters of a method are sent later, and in which order. */
public final class LaterChoice {

    private LaterChoice() {}

    /**
     * The parameters by what is said of them.
     *
     * @param label names the method in messages
     * @param file names or numbers from 1 on, in the order in which they follow; null if the annotations hold
     */
    public static List<Integer> of(Method method, String label, @Nullable List<String> file) {
        Parameter[] parameters = method.getParameters();
        List<Integer> places = new ArrayList<>();
        if (file != null) {
            file.forEach(word -> places.add(place(parameters, label, word)));
        }
        for (int i = 0; i < parameters.length; i++) {
            boolean marked = file == null && parameters[i].isAnnotationPresent(Later.class);
            if ((marked || isLater(parameters[i].getType())) && !places.contains(i)) {
                places.add(i);
            }
        }
        for (int place : places) {
            if (parameters[place].getType().isPrimitive()) {
                throw new IllegalArgumentException(label + ": parameter " + (place + 1) + " is a "
                        + parameters[place].getType().getName()
                        + " and cannot come later (expected: an array or object)");
            }
        }
        return List.copyOf(places);
    }

    /** Whether values of a type are always sent so. */
    static boolean isLater(Class<?> type) {
        return type == Later.Value.class || type == InputStream.class;
    }

    private static int place(Parameter[] parameters, String label, String word) {
        for (int i = 0; i < parameters.length; i++) {
            if (word.equals(String.valueOf(i + 1))
                    || parameters[i].isNamePresent() && word.equals(parameters[i].getName())) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                label + ": later: " + word + " is no parameter (expected: " + names(parameters) + ")");
    }

    private static String names(Parameter[] parameters) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < parameters.length; i++) {
            names.add(parameters[i].isNamePresent() ? parameters[i].getName() : String.valueOf(i + 1));
        }
        return names.isEmpty() ? "none, it has no parameters" : String.join(", ", names) + ", or numbers from 1 on";
    }
}
