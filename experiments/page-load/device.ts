import type { SiteManifest } from '../../cache/manifest.ts';
import { firstNames } from '../../ground/first-names.ts';
import {
  DESKTOP,
  type Device,
  deviceText,
  isSameDevice,
  PHONE,
} from '../../ground/records/device.ts';
import type { PlannedSubject, UnpinnedChoices } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { shellLine } from '../../ground/system/shell-word.ts';
import type { KnownSubjects } from '../planning.ts';
import type { SiteToLoad } from '../subjects.ts';

/** The device that the user chose; without a choice, the sites decide. */
export function deviceChoice(values: {
  mobile: boolean;
  desktop: boolean;
}): Pick<UnpinnedChoices, 'device'> {
  if (values.mobile) return { device: PHONE };
  return values.desktop ? { device: DESKTOP } : {};
}

/**
 * Loads sites on the device that recorded them, unless the user chose one. Warns of sites that another device recorded.
 * @throws UsageError without a choice, for sites that different devices recorded
 */
export function withDevice({
  choices: { device: chosen, ...choices },
  subjects,
}: KnownSubjects): KnownSubjects {
  const recorded = subjects.flatMap(({ manifest }) => (manifest && recordedOn(manifest)) ?? []);
  const [first = DESKTOP] = recorded;
  if (!chosen && recorded.some((each) => !isSameDevice(each, first))) {
    throw new UsageError(
      `These sites were recorded on different devices: ${sitesByDevice(subjects)}. Measure them in separate runs, or load all of them on one device: --mobile or --desktop.`,
    );
  }
  const device = chosen ?? first;
  return {
    choices: { ...choices, ...(!isSameDevice(device, DESKTOP) && { device }) },
    subjects: subjects.map((subject) => withWarning(subject, device)),
  };
}

/** null: the content of the site does not depend on a device. */
function recordedOn({ kind, device = DESKTOP }: SiteManifest): Device | null {
  return kind === 'recorded' || kind === 'imported' ? device : null;
}

function sitesByDevice(subjects: readonly SiteToLoad[]): string {
  const sites = subjects.flatMap(({ manifest, planned: { subject } }) => {
    const device = manifest && recordedOn(manifest);
    return device ? [{ subject, text: deviceText(device) }] : [];
  });
  return [...Map.groupBy(sites, ({ text }) => text)]
    .map(([text, own]) => {
      const names = own.map(({ subject }) => subject);
      return `${firstNames(names, 3)} on ${text}`;
    })
    .join('; ');
}

function withWarning(subject: SiteToLoad, device: Device): SiteToLoad {
  const own = subject.manifest && recordedOn(subject.manifest);
  if (!own || isSameDevice(own, device)) return subject;
  const unknown = subject.manifest?.device ? '' : ', or on an unknown device';
  const warning = `it was recorded on ${deviceText(own)}${unknown}, and is loaded as on ${deviceText(device)}. Its requests may differ, and those without a recorded response get 404.`;
  const { planned } = subject;
  return {
    ...subject,
    planned: {
      ...planned,
      warning: planned.warning === undefined ? warning : `${planned.warning} Also, ${warning}`,
    },
  };
}

/** Command that records a page again, on this device and under the name of its recording. */
export function recordCommand(
  { subject, url, kind }: Pick<PlannedSubject, 'subject' | 'url' | 'kind'>,
  device = DESKTOP,
): string {
  const name = kind === 'recorded' ? ['--name', subject] : [];
  const words = [url, ...name, ...(device.mobile ? ['--mobile'] : [])];
  return `npm run record -- ${shellLine(words)}`;
}
