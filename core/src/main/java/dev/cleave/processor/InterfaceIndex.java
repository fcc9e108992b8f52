package dev.cleave.processor;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The index as text, one word and one name to a line:
 *
 * <pre>
 * package org.shop
 * remote  org.shop.Stock
 * </pre>
 *
 * <p>An interface of a package that is named, and that is not itself named as remote, is not remote. Binary names.
 */
final class InterfaceIndex {

    /** Where the index is in a jar or folder. */
    static final String FILE = "META-INF/cleave/interfaces";

    private final SortedSet<String> packages = new TreeSet<>();
    private final SortedSet<String> remote = new TreeSet<>();
    private final Set<String> seen = new HashSet<>();

    void addPackage(String name) {
        packages.add(name);
    }

    void addInterface(String name, boolean isRemote) {
        seen.add(name);
        if (isRemote) {
            remote.add(name);
        }
    }

    SortedSet<String> remote() {
        return remote;
    }

    /** Keeps of an earlier index what is not known better now and still exists. */
    void merge(String earlier, Predicate<String> exists) {
        earlier.lines().forEach(line -> {
            String name = line.substring(line.indexOf(' ') + 1).trim();
            if (line.startsWith("package ")) {
                packages.add(name);
            } else if (line.startsWith("remote ") && !seen.contains(name) && exists.test(name)) {
                remote.add(name);
            }
        });
    }

    String text() {
        StringBuilder text = new StringBuilder();
        packages.forEach(name -> text.append("package ").append(name).append('\n'));
        remote.forEach(name -> text.append("remote  ").append(name).append('\n'));
        return text.toString();
    }
}
