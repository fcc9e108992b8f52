package dev.cleave.spring;

import java.beans.Introspector;

/** The names under which services are bound and looked up. */
final class ServiceNames {

    private ServiceNames() {}

    /** The name that an annotation says, else that of the interface with its first letter in lower case. */
    static String of(String said, Class<?> type) {
        return said.isEmpty() ? Introspector.decapitalize(type.getSimpleName()) : said;
    }
}
