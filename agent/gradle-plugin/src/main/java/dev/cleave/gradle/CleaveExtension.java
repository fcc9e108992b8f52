package dev.cleave.gradle;

import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;

/** The settings of a build: {@code cleave { failOn = ['sequential'] }}. */
public abstract class CleaveExtension {

    /** Made by Gradle. */
    public CleaveExtension() {}

    /** The application file; {@code cleave.yaml} of the project, if there is one. */
    public abstract RegularFileProperty getConfig();

    /** The verdicts that calls must not fall behind; {@code cleave.baseline} of the project, if there is one. */
    public abstract RegularFileProperty getBaseline();

    /** Verdicts and rules that fail the build whatever the baseline says: {@code sequential}, or rules such as {@code R37}. */
    public abstract ListProperty<String> getFailOn();
}
