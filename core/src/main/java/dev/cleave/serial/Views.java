package dev.cleave.serial;

import java.lang.reflect.Modifier;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The JDK's views of collections, such as sublists and key sets, which travel as copies. */
final class Views {

    private Views() {}

    /** The class of the copy that travels in place of a view; null if objects of the class are none. */
    static @Nullable Class<?> copy(Class<?> type) {
        if (!isHidden(type)) {
            return null;
        }
        if (Map.class.isAssignableFrom(type)) {
            return SortedMap.class.isAssignableFrom(type) ? TreeMap.class : LinkedHashMap.class;
        }
        if (Set.class.isAssignableFrom(type)) {
            return SortedSet.class.isAssignableFrom(type) ? TreeSet.class : LinkedHashSet.class;
        }
        if (List.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type)) {
            return ArrayList.class;
        }
        return Map.Entry.class.isAssignableFrom(type) ? SimpleEntry.class : null;
    }

    /** A class that no program names, other than those whose elements are told apart by identity. */
    private static boolean isHidden(Class<?> type) {
        String name = type.getName();
        return type.getClassLoader() == null
                && (name.startsWith("java.util.") && !Modifier.isPublic(type.getModifiers()))
                && !name.startsWith("java.util.IdentityHashMap$")
                && !name.startsWith("java.util.WeakHashMap$")
                && !name.equals("java.util.Collections$SetFromMap");
    }
}
