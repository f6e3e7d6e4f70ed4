/** What browsers tell about the kind of device; Chromium alone has `userAgentData`. */
interface NavigatorFacts {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { mobile: boolean };
}

/** Whether the device is a phone or a tablet, which end pages that take much memory. */
export function isPhone({
  userAgent,
  maxTouchPoints,
  userAgentData,
}: NavigatorFacts = navigator): boolean {
  if (userAgentData?.mobile || /Android|iPhone|iPad|iPod|Mobile/.test(userAgent)) return true;
  // An iPad calls itself a Mac; no Mac has a touch screen.
  return userAgent.includes('Mac OS X') && maxTouchPoints > 1;
}
